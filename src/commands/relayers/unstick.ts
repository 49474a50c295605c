import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../contract/problems.ts";
import { createCommand } from "../command.ts";
import { relayerArgument } from "../resource-arguments.ts";
import { nodeFlag } from "../tx/node-flag.ts";
import { defineUnstickFlags } from "./unstick/flags.ts";

export const relayersUnstick = createCommand({
  summary: "Find out why transactions are stuck, and free them one by one",
  sends: "anything",
  spends: true,
  ends: {
    ok: "freed, or nothing is stuck",
    conflict: "stuck, and relayctl cannot help",
    partial: "the relayer's cap was not restored (--raise-cap)",
    unmet: "stuck again after a step, and relayctl cannot help further",
    pending: "still in progress when the time ran out",
  },
  examples: [
    "relayctl relayers unstick eth-main-1 --dry-run",
    "relayctl relayers unstick eth-main-1 --yes",
    "relayctl relayers unstick eth-main-1 --dry-run -o json",
  ],
  args: [relayerArgument],
  waits: true,
  readsFirst: true,
  description:
    "Find out why a relayer's transactions are not mined, and free them. Transactions are mined in the order of their nonces, so a stuck transaction holds up all later ones. relayctl asks the chain for the next nonce, shows which transaction holds that nonce and why it is stuck, and asks you. Then it sends that transaction again at a higher fee, waits until it is mined, and repeats. If a transaction can never be signed, relayctl replaces it with an empty transfer. It cancels a payment only as the last resort, and only if you agree to that step. --dry-run shows the diagnosis, --curl the requests of the next step, and neither sends anything.",
  define: defineUnstickFlags,
  prepare: async (call, problems: Problems) => ({
    relayerId: await readId(call, problems, "id", call.args[0]),
    nodeUrl: nodeFlag(call, problems, call.flags.node),
    speed: call.flags.speed,
  }),
  run: async (call, request) => (await import("./unstick/free.ts")).freeRelayer(call, request),
});
