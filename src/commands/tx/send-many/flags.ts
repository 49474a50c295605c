import type { Problems } from "../../../contract/problems.ts";
import { type Pace, type Start, startProblems, USUAL_FAILURES } from "../../../payments/run/plan.ts";
import { AS_FLAGS } from "../../../payments/spelling.ts";
import { bulkThrottle, type ThrottleFlags } from "../../bulk/flags.ts";
import { numberFlag } from "../../flags/options.ts";
import type { WriteWaitFlags } from "../wait/flags.ts";

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

export function paceOf({ maxInFlight, rate, stopAfter }: PaymentFlags, problems: Problems): Pace {
  const throttle = bulkThrottle(
    { ...(maxInFlight !== undefined && { concurrency: maxInFlight }), ...(rate !== undefined && { rate }) },
    problems,
    "--max-in-flight",
  );
  return { ...throttle, stopAfter: numberFlag(problems, "--stop-after", stopAfter, 1) ?? USUAL_FAILURES };
}

export function startOf({ resume, again, run, assumeNotSent = [] }: PaymentFlags, problems: Problems): Start {
  const assumed = assumeNotSent.flatMap((typed) => numberFlag(problems, "--assume-not-sent", typed, 1) ?? []);
  const start = { resume: resume === true, again: again === true, run, assumed: [...new Set(assumed)] };
  problems.found.push(...startProblems(start, AS_FLAGS));
  return start;
}
