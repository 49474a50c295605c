import { readId } from "../../command-support/ids.ts";
import { operations } from "../../contract/operations.ts";
import type { Network } from "../../contract/resources/network.ts";
import type { CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { networkArgument } from "./argument.ts";
import { networkView } from "./view.ts";

/** `relayctl networks get <id>` (facts 8.2). */
export const networksGet: CommandFile<object, string> = {
  summary: "Show one network",
  sends: "read",
  examples: [
    "relayctl networks get evm:sepolia",
    "relayctl networks get evm:sepolia -o json",
    "relayctl networks get evm:sepolia --fields chain_id,rpc_urls",
  ],
  resource: networkView,
  args: [networkArgument],
  define(command) {
    command.description("Show one network. RPC URLs are shown without path, query, and user info.");
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    getView<Network>(call, {
      resource: networkView,
      request: { operation: operations["networks.get"], parameters: { network_id: id } },
      get: (client) => client.networks.get(id),
    }),
};
