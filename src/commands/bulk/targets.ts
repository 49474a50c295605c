import type { WriteThrottle } from "../../command-support/bulk/writes.ts";
import { readTargets, refuseNone } from "../../command-support/ids.ts";
import { type Problems, validateFileName } from "../../contract/problems.ts";
import type { Call } from "../command.ts";
import { type BulkFlags, bulkThrottle, CHOOSING } from "./flags.ts";

export interface Targets {
  /** Undefined with `--all` and `--where`. */
  ids: readonly string[] | undefined;
  throttle: WriteThrottle;
}

/** Reads the targets: IDs, lines of stdin for `-`, `--all`, or `--where`. */
export async function targetsOf(call: Call<BulkFlags>, problems: Problems): Promise<Targets> {
  const { all, where } = call.flags;
  const ids = await readTargets(call, problems, "id");
  const throttle = bulkThrottle(call.flags, problems);
  validateFileName(problems, "--undo-file", call.flags.undoFile);
  const chooser = all ? "--all" : "--where";
  if (ids && (all || where)) problems.add(chooser, "cannot be combined with ids");
  if (all && where) problems.add("--all", "cannot be combined with --where, which already selects from all relayers");
  if (ids) refuseNone(problems, ids);
  const isOne = ids?.length === 1;
  if (call.output.format === "raw" && !isOne)
    problems.add("-o", "raw is the response to one request; specify one relayer");
  return { ids, throttle };
}

/** Returns the single relayer specified by ID: the command then behaves like one for a single relayer. */
export function onlyTarget({ ids }: Targets): string | undefined {
  return ids?.length === 1 ? ids[0] : undefined;
}

/** Returns whether the words select more than one relayer. */
export function isMany({ args, flags }: Pick<Call, "args" | "flags">): boolean {
  return args.length !== 1 || args[0] === "-" || choosesFromAll({ flags });
}

/** Returns whether the relayers are known only after the list was read. */
export function choosesFromAll({ flags }: Pick<Call<BulkFlags>, "flags">): boolean {
  return CHOOSING.some((flag) => flags[flag] !== undefined);
}
