import { MAX_CONCURRENCY, MAX_RATE, USUAL_CONCURRENCY } from "../../client/bulk/bounds.ts";
import type { WriteThrottle } from "../../command-support/bulk/writes.ts";
import { readTargetIds, refuseNoIds } from "../../command-support/ids.ts";
import { parsedSourcedFlag, RuleError } from "../../config/sourced.ts";
import { type Problems, validateFileFlag } from "../../contract/problems.ts";
import { type Call, type CommandSyntax, commandNumberFlag, type ParsedFlags } from "../command.ts";

export type ThrottleFlags = ParsedFlags<typeof defineBulkThrottleFlags>;

export type BulkFlags = ParsedFlags<typeof defineBulkFlags>;

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
    .include(defineBulkThrottleFlags)
    .option("--undo-file <file>", "Write an undo entry for each change to a new file as soon as the change is applied");
}

export function defineBulkThrottleFlags(command: CommandSyntax) {
  return command
    .option(
      "--concurrency <n>",
      `Send this many requests at once (1–${MAX_CONCURRENCY}; default: ${USUAL_CONCURRENCY})`,
    )
    .include(defineBulkThrottleRate);
}

export function defineBulkThrottleRate(command: CommandSyntax) {
  return command.option("--rate <n/s>", "Limit the request rate, e.g. 50/s");
}

export function bulkThrottleFlags({ concurrency, rate }: ThrottleFlags, problems: Problems): WriteThrottle {
  return {
    concurrency: commandNumberFlag(problems, "--concurrency", concurrency, 1, MAX_CONCURRENCY) ?? USUAL_CONCURRENCY,
    interval: parsedSourcedFlag("--rate", rate, parseInterval, problems.found) ?? 0,
  };
}

function parseInterval(text: string): number {
  const digits = /^([0-9]+)\/s$/.exec(text)?.[1];
  if (digits === undefined) throw new RuleError("needs a unit, e.g. 50/s (requests per second)", text);
  const perSecond = Number(digits);
  if (perSecond < 1 || perSecond > MAX_RATE) throw new RuleError(`must be from 1/s to ${MAX_RATE}/s`, text);
  return 1000 / perSecond;
}

export interface Targets {
  /** Undefined with `--all` and `--where`. */
  ids: readonly string[] | undefined;
  throttle: WriteThrottle;
}

export async function bulkTargets(call: Call<BulkFlags>, problems: Problems): Promise<Targets> {
  const { all, where } = call.flags;
  const ids = await readTargetIds(call, problems, "id");
  const throttle = bulkThrottleFlags(call.flags, problems);
  validateFileFlag(problems, "--undo-file", call.flags.undoFile);
  const chooser = all ? "--all" : "--where";
  if (ids && (all || where)) problems.add(chooser, "cannot be combined with ids");
  if (all && where) problems.add("--all", "cannot be combined with --where, which already selects from all relayers");
  if (ids) refuseNoIds(problems, ids);
  const isOne = ids?.length === 1;
  if (call.output.format === "raw" && !isOne)
    problems.add("-o", "raw is the response to one request; specify one relayer");
  return { ids, throttle };
}

/** Returns the single relayer specified by ID: the command then behaves like one for a single relayer. */
export function onlyBulkTarget({ ids }: Targets): string | undefined {
  return ids?.length === 1 ? ids[0] : undefined;
}

export function isBulkCommand({ args, flags }: Pick<Call, "args" | "flags">): boolean {
  return args.length !== 1 || args[0] === "-" || bulkChoosesFromAll({ flags });
}

export function bulkChoosesFromAll({ flags }: Pick<Call<BulkFlags>, "flags">): boolean {
  return CHOOSING.some((flag) => flags[flag] !== undefined);
}
