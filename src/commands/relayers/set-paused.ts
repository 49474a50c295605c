import type { DiffFlag } from "../../command-support/shown.ts";
import { relayerView } from "../../views/relayer.ts";
import { type BulkFlags, defineBulkFlags } from "../bulk/flags.ts";
import { choosesFromAll, isMany, onlyTarget, type Targets, targetsOf } from "../bulk/targets.ts";
import type { CommandFile } from "../command.ts";
import { DIFF } from "../flags/options.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { relayersArgument } from "../relayer-arguments.ts";
import { changeOne } from "./change/change-one.ts";
import { sendUpdate } from "./change/send-update.ts";

type PauseFlags = BulkFlags & DiffFlag;

/** Creates `pause` and `resume`: an update of `paused` only. */
export function setPaused(
  paused: boolean,
  described: { summary: string; description: string; examples: readonly string[] },
): CommandFile<PauseFlags, Targets> {
  return {
    summary: described.summary,
    sends: "patch",
    ends: { conflict: "disabled", partial: "some failed" },
    examples: described.examples,
    resource: relayerView,
    args: [relayersArgument],
    paginates: isMany,
    readsFirst: choosesFromAll,
    ...(paused && { contexts: { oneOnly: ["undoFile"] } }),
    define: (command: CommandSyntax) => {
      defineBulkFlags(command.description(described.description))
        .optionsGroup("Request")
        .option(...DIFF);
    },
    prepare: targetsOf,
    run: async (call, targets) => {
      const only = onlyTarget(targets);
      if (only !== undefined && !call.among)
        return await changeOne(call, (undoFile) => sendUpdate(call, only, { paused }, { undoFile }));
      const { updateMany } = await import("./many/update-many.ts");
      return await updateMany(call, targets, { needsKind: false, bodyFor: () => ({ paused }) });
    },
  };
}
