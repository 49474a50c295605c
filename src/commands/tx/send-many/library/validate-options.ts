import { waitPlan } from "../../../../chain/follow/wait-client.ts";
import type { Problems } from "../../../../command-support/problems.ts";
import { type Pace, type RunPlan, type Start, startProblems } from "../../../../payments/run/plan.ts";
import { AS_MEMBERS } from "../../../../payments/spelling.ts";
import { MAX_CONCURRENCY, MAX_RATE, USUAL_CONCURRENCY } from "../../../bulk/flags.ts";
import { USUAL_FAILURES } from "../flags.ts";
import type { SendManyOptions } from "./options.ts";

const SWITCHES = ["resume", "again", "allowDuplicates"] as const;

/** Adds what is wrong with options that no type shows, e.g. in a program in JavaScript. */
export function validateRequired({ state, confirm, ...options }: SendManyOptions, problems: Problems): void {
  if (typeof state !== "string" || state === "") problems.add("state", "is required: the folder of the journal");
  if (typeof confirm !== "bigint") problems.add("confirm", "is required: the sum in wei, as a bigint");
  // The text "false" of a variable would pay all rows again.
  for (const name of SWITCHES)
    if (typeof (options[name] ?? false) !== "boolean")
      problems.add(name, "must be true or false", String(options[name]));
}

export function paceOf({ maxInFlight, rate, stopAfter }: SendManyOptions, problems: Problems): Pace {
  const concurrency = wholeNumber(problems, "maxInFlight", maxInFlight, MAX_CONCURRENCY) ?? USUAL_CONCURRENCY;
  if (rate !== undefined && !(rate > 0 && rate <= MAX_RATE))
    problems.add("rate", `must be a number above 0, at most ${MAX_RATE}`, String(rate));
  return {
    concurrency,
    interval: rate === undefined ? 0 : 1000 / rate,
    stopAfter: wholeNumber(problems, "stopAfter", stopAfter) ?? USUAL_FAILURES,
  };
}

export function startOf(options: SendManyOptions, problems: Problems): Start {
  const { resume = false, again = false, run, assumeNotSent = [] } = options;
  const assumed = assumeNotSent.flatMap((row) => wholeNumber(problems, "assumeNotSent", row) ?? []);
  const start = { resume, again, run, assumed: [...new Set(assumed)] };
  problems.found.push(...startProblems(start, AS_MEMBERS));
  return start;
}

/** Returns what to wait for; undefined for nothing. */
export function waitOf({ wait = false }: SendManyOptions): RunPlan["wait"] {
  return wait === false ? undefined : waitPlan(wait === true ? {} : wait);
}

function wholeNumber(
  problems: Problems,
  option: string,
  value: number | undefined,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? "of 1 or more" : `from 1 to ${most}`;
  problems.add(option, `must be a whole number ${range}`, String(value));
  return undefined;
}
