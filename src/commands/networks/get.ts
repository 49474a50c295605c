import { networkView } from "../../views/rpc-url-flags.ts";
import { createGetCommand } from "../get-command.ts";
import { networkArgument } from "../resource-arguments.ts";

export const networksGet = createGetCommand({
  noun: "networks",
  summary: "Show networks",
  description: "Show one network. RPC URLs are shown without path, query, and user info.",
  examples: [
    "relayctl networks get evm:sepolia",
    "relayctl networks get evm:sepolia -o json",
    "relayctl networks get evm:sepolia --fields chain_id,rpc_urls",
  ],
  resource: networkView,
  argument: networkArgument,
  get: (client, id) => client.networks.get(id),
});
