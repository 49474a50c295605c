import { readIds } from "../../command-support/ids.ts";
import { ageFlag } from "../../config/since.ts";
import { stuckView } from "../../views/transaction/stuck.ts";
import { createCommand, refuseRaw } from "../command.ts";
import { defineChoosingFlags } from "../list-flags.ts";
import { relayerArgument } from "../resource-arguments.ts";

export const txStuck = createCommand({
  summary: "List stuck transactions of the whole fleet, and why they wait",
  sends: "read",
  ends: { partial: "some relayers could not be read" },
  examples: ["relayctl tx stuck", "relayctl tx stuck --older 10m -o json", "relayctl tx stuck eth-main-1 polygon-bulk"],
  resource: stuckView,
  args: [{ ...relayerArgument, name: "[relayer-ids...]", description: "Relayer IDs (default: all relayers)" }],
  paginates: true,
  contexts: {},
  description:
    "List the stuck transactions of all relayers, or of those you specify, with what each one waits for and the command that helps. On EVM networks, transactions are mined in the order of their nonces, and the relayer's node shows which one holds up the others, and why. Each node gets at most ten requests, and nothing is changed.",
  define: (command) =>
    command
      .optionsGroup("Transactions")
      .option(
        "--older <time>",
        "List transactions that have been pending for longer than this, e.g. 10m or 2d, or since before a date (default: longer than usual, or in a stuck queue)",
      )
      .option("--all", "Give every transaction a row; a terminal only counts those that wait for another one")
      .optionsGroup("List")
      .include(defineChoosingFlags, "code=underpriced, relayer_id=eth-main-1, blocks>0"),
  async prepare(call, problems) {
    const { older } = call.flags;
    refuseRaw(call, problems);
    return {
      ids: await readIds(call, problems, "relayer-id"),
      older: ageFlag(problems, "--older", older, call.app.clock.now()),
      isWhole: call.flags.all,
    };
  },
  run: async (call, request) => (await import("./stuck/list-stuck.ts")).listStuck(call, request),
});
