import type { DiffFlag } from "../../command-support/shown.ts";
import { relayerView } from "../../views/relayer.ts";
import {
  type BulkFlags,
  bulkChoosesFromAll,
  bulkTargets,
  defineBulkFlags,
  isBulkCommand,
  onlyBulkTarget,
  type Targets,
} from "../bulk/flags.ts";
import { type CommandFile, type Described, DIFF } from "../command.ts";
import { relayersArgument } from "../resource-arguments.ts";
import { sendUpdate, updateOneRelayer } from "./change/send-update.ts";

export const relayersPause = createPauseCommand(true, {
  summary: "Pause relayers, so that they take no new work",
  description: "Pause relayers. A paused relayer rejects new work; work that is already queued keeps running.",
  examples: [
    "relayctl relayers pause eth-main-1",
    "relayctl relayers pause eth-main-1 --diff",
    "relayctl relayers pause --where network=base --yes",
  ],
});

/** Creates `pause` and `resume`: an update of only `paused`. */
export function createPauseCommand(paused: boolean, described: Described): CommandFile<BulkFlags & DiffFlag, Targets> {
  return {
    ...described,
    sends: "patch",
    ends: { conflict: "disabled", partial: "some failed" },
    resource: relayerView,
    args: [relayersArgument],
    paginates: isBulkCommand,
    readsFirst: bulkChoosesFromAll,
    ...(paused && { contexts: { oneOnly: ["undoFile"] } }),
    define: (command) =>
      void defineBulkFlags(command)
        .optionsGroup("Request")
        .option(...DIFF),
    prepare: bulkTargets,
    run: async (call, targets) => {
      const only = onlyBulkTarget(targets);
      if (only !== undefined && !call.among)
        return await updateOneRelayer(call, (undoFile) => sendUpdate(call, { id: only, body: { paused } }, undoFile));
      const { updateMany } = await import("./many/update-many.ts");
      return await updateMany(call, targets, { needsKind: false, bodyFor: () => ({ paused }) });
    },
  };
}

export const relayersResume = createPauseCommand(false, {
  summary: "Resume paused relayers",
  description:
    "Resume paused relayers, so that they take work again. A relayer that the service disabled comes back by itself.",
  examples: [
    "relayctl relayers resume eth-main-2",
    "relayctl relayers resume eth-main-2 --diff",
    "relayctl relayers resume eth-main-2 --dry-run",
  ],
});
