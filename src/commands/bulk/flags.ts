import { MAX_CONCURRENCY, MAX_RATE, USUAL_CONCURRENCY } from "../../client/bulk/bounds.ts";
import type { WriteThrottle } from "../../command-support/bulk/writes.ts";
import { RuleError, validated } from "../../config/sourced.ts";
import type { Problems } from "../../contract/problems.ts";
import { numberFlag } from "../flags/options.ts";
import type { CommandSyntax, ParsedFlags } from "../flags/syntax.ts";

export type ThrottleFlags = ParsedFlags<typeof defineThrottleFlags>;

export type BulkFlags = ParsedFlags<typeof defineBulkFlags>;

/** The flags that select relayers in place of IDs. */
export const CHOOSING = ["all", "where"] as const;

export function defineBulkFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Bulk")
    .option("--all", "Select every relayer")
    .option(
      "--where <condition>",
      "Select matching relayers, e.g. network=base, !paused, policies.gas_price_cap>80gwei (repeatable; all must match)",
      "values",
    )
    .include(defineThrottleFlags)
    .option("--undo-file <file>", "Write an undo entry for each change to a new file as soon as the change is applied");
}

export function defineThrottleFlags(command: CommandSyntax) {
  return command
    .option(
      "--concurrency <n>",
      `Send this many requests at once (1–${MAX_CONCURRENCY}; default: ${USUAL_CONCURRENCY})`,
    )
    .include(defineThrottleRate);
}

export function defineThrottleRate(command: CommandSyntax) {
  return command.option("--rate <n/s>", "Limit the request rate, e.g. 50/s");
}

/** @param flag the name of the flag for the number of requests at once */
export function bulkThrottle(
  { concurrency, rate }: ThrottleFlags,
  problems: Problems,
  flag = "--concurrency",
): WriteThrottle {
  const many = numberFlag(problems, flag, concurrency, 1, MAX_CONCURRENCY);
  const interval = validated(
    rate === undefined ? undefined : { value: rate, from: "--rate" },
    parseInterval,
    problems.found,
  );
  return { concurrency: many ?? USUAL_CONCURRENCY, interval: interval?.value ?? 0 };
}

/** Returns `50/s` as the milliseconds between two requests. */
function parseInterval(text: string): number {
  const digits = /^([0-9]+)\/s$/.exec(text)?.[1];
  if (digits === undefined) throw new RuleError("needs a unit, e.g. 50/s (requests per second)", text);
  const perSecond = Number(digits);
  if (perSecond < 1 || perSecond > MAX_RATE) throw new RuleError(`must be from 1/s to ${MAX_RATE}/s`, text);
  return 1000 / perSecond;
}
