import { badRequest, Refusal, replacedMissing, serverFault, tooManyRequests, unauthorized } from "../refusal.ts";
import type { DemoRandom } from "../world.ts";
import { ClosedConnection } from "./closed-connection.ts";

/** Requests that are to fail: `--fail METHOD:PATH-GLOB=STATUS[:RATE]`. */
export interface InjectedFailure {
  /** In capitals, or `*` for every method. */
  method: string;
  /** The whole path without its query; `*` stands for anything, slashes too. */
  path: string;
  /** A status, or a failure that no status expresses (facts 1.4, 1.9 and 3.10). */
  status: number | FailureWord;
  /** The share of requests that fail, from 0 to 1. */
  rate: number;
}

type FailureWord = "busy" | "close" | "refuse";

const WORDS: Readonly<Record<FailureWord, () => Error>> = {
  busy: () => new Refusal(429, "Too many concurrent requests", { service: { message: BUSY, plain: true } }),
  close: () => new ClosedConnection(),
  refuse: () => new Refusal(200, "Not implemented"),
};

/** facts 1.4: JSON with the content type of a text. */
const BUSY = '{"error":"Too many concurrent requests","max_concurrent":100}';

/** Gives the failure that a request is to meet, if any. The first rule that fits and whose turn it is decides. */
export function createFailures(failures: readonly InjectedFailure[], random: Pick<DemoRandom, "fraction">) {
  const rules = failures.map((failure) => ({ ...failure, pattern: globPattern(failure.path) }));
  return (method: string, path: string): Error | undefined => {
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

/** The messages of interface 1.4 for a status, if it has one. */
function refusalOf(status: InjectedFailure["status"]): Error {
  if (typeof status === "string") return WORDS[status]();
  const nearest = status >= 500 ? serverFault() : badRequest();
  return WORDED.find((refusal) => refusal.status === status) ?? new Refusal(status, nearest.message);
}
