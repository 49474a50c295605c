import { relayerView } from "../views/relayer.ts";
import { topUpView } from "../views/top-up.ts";
import { createCommand } from "./command.ts";
import { relayerArgument } from "./resource-arguments.ts";
import { defineTopUpFlags } from "./tx/top-up/flags.ts";

/** `relayctl topup --from treasury --to-balance 0.5eth`: tops nobody up twice (facts 5.3, 15.11). */
export const topup = createCommand({
  summary: "Top up relayers from one purse",
  sends: "once",
  refuses: { curl: "not supported: a payment is recorded before it is sent" },
  spends: true,
  ends: {
    ok: "every top-up was accepted, or no balance is low",
    conflict: "the purse cannot pay now, its queue is stuck, or another process tops up the same network",
    unknown: "the responses to some payments were lost, and their transactions were not found",
    partial: "some payments were refused, or not started",
    io: "the journal cannot be written, or lost lines",
  },
  examples: [
    "relayctl topup --from base-hot --to-balance 0.5eth --dry-run",
    "relayctl topup @ops @payouts --from base-hot --to-balance 0.04eth --below 0.02eth",
    "relayctl topup @ops --from base-hot --to-balance 0.05eth --yes --max-total 0.1eth -o json",
  ],
  // Conditions use relayers' fields; printed fields are validated separately.
  resource: { ...topUpView, fields: [...topUpView.fields, ...relayerView.fields], derived: relayerView.derived ?? {} },
  args: [
    {
      ...relayerArgument,
      name: "[relayers...]",
      description: "Relayer IDs, or labels as @name (default: all relayers on the network of the purse)",
    },
  ],
  paginates: true,
  readsFirst: true,
  description:
    "Send coins from one EVM relayer, the purse, to every relayer on its network whose balance is low, or to those you specify. relayctl reads balances from the chain, and counts earlier payments that the chain doesn't show yet as received. It reads each balance again before the payment, and skips an address that somebody else filled. Every payment is recorded in the journal before it is sent, so that no address is topped up twice, even after a kill or if cron starts two commands. The purse keeps its min_balance. Two machines with two journals are not protected from each other: run top-ups of a network from one machine, with one journal.",
  define: defineTopUpFlags,
  async prepare(call, problems) {
    const { typedTopUp } = await import("./tx/top-up/typed-top-up.ts");
    return await typedTopUp(call, problems);
  },
  run: async (call, typed) => (await import("./tx/top-up/run-top-up.ts")).runTopUp(call, typed),
});
