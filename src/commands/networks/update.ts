import type { Command } from "commander";
import { readId } from "../../flow/ids.ts";
import type { Problems } from "../../flow/problems.ts";
import type { Call, CommandFile } from "../command.ts";
import { DIFF } from "../diff-flag.ts";
import { repeatable } from "../repeatable.ts";
import { networkOperand } from "./operand.ts";
import { type NetworkChange, sendChange } from "./send-change.ts";
import { changeFromFlags, type UpdateFlags } from "./update-flags.ts";
import { networkView } from "./view.ts";

/** `relayctl networks update <id>`: service-facts 8.2; of a network nothing else can be changed. */
export const networksUpdate: CommandFile<UpdateFlags, NetworkChange> = {
  summary: "replace a network's RPC URLs",
  sends: "patch",
  examples: [
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org",
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org,weight=80 --rpc-url https://backup.example.org,weight=20",
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org --dry-run",
  ],
  resource: networkView,
  operands: [networkOperand],
  define,
  prepare,
  run: sendChange,
};

function define(command: Command): void {
  command
    .description(
      "Replace the RPC URLs of a network: name all that are to stay. Nothing else of a network can be changed.",
    )
    .optionsGroup("Fields")
    .option("--rpc-url <url[,weight=n]>", "repeat; replaces the whole list; a weight from 0 to 255", repeatable)
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin")
    .option(...DIFF);
}

async function prepare(call: Call<UpdateFlags>, problems: Problems): Promise<NetworkChange> {
  const id = await readId(call, problems, "id", call.operands[0]);
  return { id, body: await changeFromFlags(call, problems) };
}
