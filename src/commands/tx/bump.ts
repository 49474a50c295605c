import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import { transactionView } from "../../views/transaction/record.ts";
import { createCommand, DIFF } from "../command.ts";
import { sentTransactionsArguments } from "./arguments.ts";
import { type BumpFlags, bumpRepeats, defineBumpFlags, namedBumps, typedBumpPlan } from "./bump/flags.ts";
import type { Bumping } from "./bump/run-bump.ts";
import { FORCE } from "./replacement/prediction-words.ts";
import { defineSimulationFlags, SIMULATION_ENDS } from "./simulation/flags.ts";
import { defineWriteWaitFlags, WAIT_ENDS, waitsAfterWrite } from "./wait/flags.ts";

const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

/** `relayctl tx bump <relayer-id> <tx-ids...>` (facts 15.1 to 15.3). Never sent again once it may have left. */
export const txBump = createCommand({
  summary: "Send pending transactions again at a higher fee",
  sends: "once",
  spends: true,
  alsoSends: ["remove", "patch"],
  ends: {
    ok: "on its way, or mined (--until), or confirmed (--wait)",
    conflict:
      "never broadcast if it were sent, no longer pending, above --max-price, or the relayer is paused or disabled",
    ...SIMULATION_ENDS,
    partial: "some failed, or the relayer's cap was not restored (--raise-cap)",
    ...WAIT_ENDS,
    unmet: "accepted, but never broadcast; or ended otherwise (--wait)",
    pending: "accepted, but not seen on its way, or still in progress when the time ran out",
  },
  examples: [
    `relayctl tx bump ${PENDING} --yes`,
    `relayctl tx bump ${PENDING} --until mined --every 2m --times 5 --max-price 200gwei --yes`,
    "relayctl tx bump eth-main-1 --stuck 10m --raise-cap --dry-run",
  ],
  resource: transactionView,
  args: sentTransactionsArguments({
    choices: async (call) => (await import("./record/choices.ts")).pendingRecordChoices(call, "bumped"),
    unless: ["stuck"],
  }),
  paginates: ({ args, flags }: { args: readonly string[]; flags: BumpFlags }) =>
    bumpRepeats({ flags }) || flags.stuck !== undefined || args.length > 2 || args[0] === "-",
  waits: ({ flags }: { flags: BumpFlags }) => waitsAfterWrite({ flags }) && !bumpRepeats({ flags }),
  readsFirst: true,
  description:
    "Send pending transactions again at a higher fee. Receiver, value, data, and gas limit stay as they are. relayctl first predicts what the service will do, and refuses a bump that the service would accept and never broadcast. If a transaction is being canceled, its cancellation is bumped.",
  define: (command) =>
    command
      .include(defineBumpFlags)
      .option(...FORCE)
      .option(...DIFF)
      .option(...LOST_LINES)
      .include(defineSimulationFlags)
      .include(defineWriteWaitFlags),
  prepare: async (call, problems) => ({ named: await namedBumps(call, problems), ...typedBumpPlan(call, problems) }),
  run: async (call, bumping) => {
    await (await import("./raised-caps.ts")).checkRaisedCaps(call, relayerIds(bumping), bumping.raising !== undefined);
    return await (await import("./bump/run-bump.ts")).runBump(call, bumping);
  },
});

function relayerIds({ named }: Bumping): string[] {
  if ("stuckOf" in named) return [named.stuckOf];
  return ("targets" in named ? named.targets : named.records).map(({ relayerId }) => relayerId);
}
