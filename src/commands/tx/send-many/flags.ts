import { MAX_CONCURRENCY, USUAL_CONCURRENCY } from "../../../client/bulk/bounds.ts";
import type { Problems } from "../../../contract/problems.ts";
import { SPEEDS } from "../../../contract/transaction/replacement-price.ts";
import { AS_FLAGS, type Pace, runStartProblems, type Start, USUAL_FAILURES } from "../../../payments/run/running.ts";
import { LOST_LINES } from "../../../session/journaling/lost-lines-flag.ts";
import { bulkThrottleFlags, defineBulkThrottleRate } from "../../bulk/flags.ts";
import { type CommandSyntax, commandNumberFlag, type ParsedFlags } from "../../command.ts";
import { defineNotifyFlag } from "../notifying.ts";
import { defineWriteWaitFlags } from "../wait/flags.ts";

export type PaymentFlags = ParsedFlags<typeof definePaymentFlags>;

export function definePaymentFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Payments")
    .option(
      "-f, --file <file>",
      "File of payments, CSV or NDJSON: to, value, and perhaps label, data, gas_limit, speed (required)",
    )
    .choice("--speed <speed>", "Speed of rows without a price", SPEEDS)
    .option("--abi <file>", "ABI of the functions that rows call by name: JSON, or an artifact of Foundry or Hardhat")
    .option("--allow-duplicates", "Accept rows with the same receiver, amount, and data")
    .optionsGroup("Run")
    .option(
      "--concurrency <n>",
      `Send this many payments at once (1–${MAX_CONCURRENCY}; default: ${USUAL_CONCURRENCY})`,
    )
    .include(defineBulkThrottleRate)
    .option("--stop-after <n>", `Start no further payment after this many failures (default: ${USUAL_FAILURES})`)
    .option("--resume", "Continue the run of this file, or start it if it was never started")
    .option("--run <id>", "Run to resume (default: the newest one of the file)")
    .option("--again", "Pay a file again that was already started, as a new run")
    .option(
      "--assume-not-sent <row>",
      "Send an unknown row again, although it may have been sent (repeatable; with --resume)",
      "values",
    )
    .option("--report <file>", "Write the outcome of each row to a file: CSV, or JSON with the sums, by its extension")
    .option("--state <folder>", "Keep the run in this folder (default: in the journal)")
    .option(...LOST_LINES)
    .include(defineNotifyFlag)
    .include(defineWriteWaitFlags);
}

export function sendManyPace(flags: PaymentFlags, problems: Problems): Pace {
  const throttle = bulkThrottleFlags(flags, problems);
  return { ...throttle, stopAfter: commandNumberFlag(problems, "--stop-after", flags.stopAfter, 1) ?? USUAL_FAILURES };
}

export function sendManyStart({ resume, again, run, assumeNotSent = [] }: PaymentFlags, problems: Problems): Start {
  const assumed = assumeNotSent.flatMap((typed) => commandNumberFlag(problems, "--assume-not-sent", typed, 1) ?? []);
  const start = { resume: resume === true, again: again === true, run, assumed: [...new Set(assumed)] };
  problems.found.push(...runStartProblems(start, AS_FLAGS));
  return start;
}
