import type { Problems } from "../../../command-support/problems.ts";
import type { Pace, Start } from "../../../payments/run/plan.ts";
import { bulkThrottle, type ThrottleFlags } from "../../bulk/flags.ts";
import { numberFlag } from "../../flags/options.ts";
import type { WriteWaitFlags } from "../wait/flags.ts";

/** The flags of the command, with commander's names. */
export interface PaymentFlags extends WriteWaitFlags, Pick<ThrottleFlags, "rate"> {
  file?: string;
  speed?: string;
  abi?: string;
  allowDuplicates?: true;
  maxInFlight?: string;
  stopAfter?: string;
  resume?: true;
  run?: string;
  again?: true;
  assumeNotSent?: string[];
  report?: string;
  state?: string;
}

const USUAL_FAILURES = 10;

export function paceOf({ maxInFlight, rate, stopAfter }: PaymentFlags, problems: Problems): Pace {
  const throttle = bulkThrottle(
    { ...(maxInFlight !== undefined && { concurrency: maxInFlight }), ...(rate !== undefined && { rate }) },
    problems,
    "--max-in-flight",
  );
  return { ...throttle, stopAfter: numberFlag(problems, "--stop-after", stopAfter, 1) ?? USUAL_FAILURES };
}

export function startOf({ resume, again, run, assumeNotSent = [] }: PaymentFlags, problems: Problems): Start {
  const isResumed = resume === true;
  if (again && isResumed) problems.add("--again", "cannot be combined with --resume");
  if (run !== undefined && !isResumed) problems.add("--run", "has no effect without --resume");
  if (run === "") problems.add("--run", "is empty");
  if (assumeNotSent.length > 0 && !isResumed) problems.add("--assume-not-sent", "requires --resume");
  const assumed = assumeNotSent.flatMap((typed) => numberFlag(problems, "--assume-not-sent", typed, 1) ?? []);
  return { resume: isResumed, again: again === true, run, assumed: [...new Set(assumed)] };
}
