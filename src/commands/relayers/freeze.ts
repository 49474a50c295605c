import { frozenView } from "../../views/freeze.ts";
import { bulkTargets, defineBulkFlags } from "../bulk/flags.ts";
import { createCommand, refuseRaw } from "../command.ts";
import { relayersArgument } from "../resource-arguments.ts";

export const relayersFreeze = createCommand({
  summary: "Stop relayers in an incident: cancel, then pause",
  sends: "patch",
  spends: true,
  alsoSends: ["remove"],
  ends: {
    ok: "frozen, or already paused with nothing to cancel",
    conflict: "disabled, or no longer pending",
    partial: "some requests failed",
  },
  examples: [
    "relayctl relayers freeze eth-main-1 --yes",
    "relayctl relayers freeze --where network=mainnet --dry-run",
    "relayctl relayers freeze eth-main-1 polygon-bulk --confirm '2 relayers' -o json",
  ],
  resource: frozenView,
  args: [relayersArgument],
  paginates: true,
  readsFirst: true,
  contexts: { oneOnly: ["undoFile"] },
  description:
    "Cancel the pending transactions of relayers as far as possible, pause the relayers, and list the transactions that can still be mined. A paused relayer refuses cancellations, so they come first; a relayer is paused even if a cancellation fails. An undo resumes the relayers that the freeze paused; canceled transactions stay canceled. Several relayers require their number, e.g. `--confirm '3 relayers'`.",
  define: defineBulkFlags,
  async prepare(call, problems) {
    refuseRaw(call, problems, "a freeze sends several");
    return await bulkTargets(call, problems);
  },
  run: async (call, targets) => (await import("./freeze/freeze-relayers.ts")).freezeRelayers(call, targets),
});
