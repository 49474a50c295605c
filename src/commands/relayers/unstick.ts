import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../contract/problems.ts";
import { SPEEDS } from "../../contract/transaction/replacement.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import type { CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { nodeFlag } from "../tx/node-flag.ts";
import { relayerArgument } from "./arguments.ts";
import type { UnstickFlags } from "./unstick/flags.ts";
import type { QueueRequest } from "./unstick/read-diagnosis.ts";

/** `relayctl relayers unstick <id>`: finds what holds up a relayer's transactions, and acts on that alone. */
export const relayersUnstick: CommandFile<UnstickFlags, QueueRequest> = {
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
  define,
  prepare: async (call, problems: Problems) => ({
    relayerId: await readId(call, problems, "id", call.args[0]),
    nodeUrl: nodeFlag(call, problems, call.flags.node),
    speed: SPEEDS.find((each) => each === call.flags.speed),
  }),
  run: async (call, request) => (await import("./unstick/run.ts")).unstick(call, request),
};

function define(command: CommandSyntax): void {
  command
    .description(
      "Find out why a relayer's transactions are not mined, and free them. Transactions are mined in the order of their nonces, so one that is stuck holds up all later ones. relayctl asks the chain for the next nonce, shows what has it and why it is stuck, asks, helps that transaction alone, waits until it is mined, and repeats. A transaction is sent again at a higher fee; one that can never be signed is replaced with a transfer of nothing. A payment is canceled only if nothing else helps, and only if you agree to that step. --dry-run shows the diagnosis, --curl the requests of the next step, and neither sends anything.",
    )
    .optionsGroup("Steps")
    .choice("--speed <speed>", "Speed at which to send again (default: the fastest that works)", SPEEDS)
    .option("--raise-cap", "Raise the relayer's cap if it is too low, and restore it once the bump is on its way")
    .option("--cancel", "Cancel a payment if nothing else helps; scripts need this in addition to --yes")
    .option(...LOST_LINES)
    .option("--node <url>", "Node to ask instead of the relayer's; a key in the URL is never printed");
}
