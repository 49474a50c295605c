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
  define: defineUnstickFlags,
  prepare: async (call, problems: Problems) => ({
    relayerId: await readId(call, problems, "id", call.args[0]),
    nodeUrl: nodeFlag(call, problems, call.flags.node),
    speed: call.flags.speed,
  }),
  run: async (call, request) => (await import("./unstick/free.ts")).freeRelayer(call, request),
});
