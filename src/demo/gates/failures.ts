import { badRequest, Refusal, replacedMissing, serverFault, tooManyRequests, unauthorized } from "../refusal.ts";
import type { DemoRandom } from "../world.ts";

/** Requests that are to fail: `--fail METHOD:PATH-GLOB=STATUS[:RATE]`. */
export interface InjectedFailure {
  /** In capitals, or `*` for every method. */
  method: string;
  /** The whole path without its query; `*` stands for anything, slashes too. */
  path: string;
  status: number;
  /** The share of requests that fail, from 0 to 1. */
  rate: number;
}

/** Gives the failure that a request is to meet, if any. The first rule that fits and whose turn it is decides. */
export function createFailures(failures: readonly InjectedFailure[], random: Pick<DemoRandom, "fraction">) {
  const rules = failures.map((failure) => ({ ...failure, pattern: globPattern(failure.path) }));
  return (method: string, path: string): Refusal | undefined => {
    const fitting = rules.filter((rule) => (rule.method === "*" || rule.method === method) && rule.pattern.test(path));
    const met = fitting.find((rule) => random.fraction() < rule.rate);
    return met && refusalOf(met.status);
  };
}

function globPattern(glob: string): RegExp {
  const literals = glob.split("*").map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literals.join(".*")}$`);
}

const WORDED = [badRequest(), unauthorized(), replacedMissing(), tooManyRequests(), serverFault()];

/** The words of interface.md, Errors, where it has some for the status. */
function refusalOf(status: number): Refusal {
  const nearest = status >= 500 ? serverFault() : badRequest();
  return WORDED.find((refusal) => refusal.status === status) ?? new Refusal(status, nearest.message);
}
