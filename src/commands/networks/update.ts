import type { Command } from "commander";
import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import { BODY_FILE, DIFF } from "../body-options.ts";
import type { Call, CommandFile } from "../command.ts";
import { repeatable } from "../flags/repeatable.ts";
import { networkArgument } from "./argument.ts";
import { type NetworkChange, sendChange } from "./send-change.ts";
import { changeFromFlags, type UpdateFlags } from "./update-flags.ts";
import { networkView } from "./view.ts";

/** `relayctl networks update <id>` (facts 8.2): a network's RPC URLs are all that can change. */
export const networksUpdate: CommandFile<UpdateFlags, NetworkChange> = {
  summary: "Replace a network's RPC URLs",
  sends: "patch",
  examples: [
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org",
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org,weight=80 --rpc-url https://backup.example.org,weight=20",
    "relayctl networks update evm:sepolia --rpc-url https://rpc.example.org --dry-run",
  ],
  resource: networkView,
  args: [networkArgument],
  define,
  prepare,
  run: sendChange,
};

function define(command: Command): void {
  command
    .description(
      "Replace the RPC URLs of a network. Specify every URL that the network should have. No other field of a network can be changed.",
    )
    .optionsGroup("Fields")
    .option(
      "--rpc-url <url[,weight=n]>",
      "RPC URL, with an optional weight (0–255); repeat for each URL; replaces the whole list",
      repeatable,
    )
    .optionsGroup("Request")
    .option(...BODY_FILE)
    .option(...DIFF);
}

async function prepare(call: Call<UpdateFlags>, problems: Problems): Promise<NetworkChange> {
  const id = await readId(call, problems, "id", call.args[0]);
  return { id, body: await changeFromFlags(call, problems) };
}
