import { networkView } from "../../views/rpc-url-flags.ts";
import { createListCommand } from "../list-command.ts";

export const networksList = createListCommand({
  noun: "networks",
  summary: "List the networks that the service is configured with",
  description: "List the networks. RPC URLs are shown without path, query, and user info.",
  examples: [
    "relayctl networks list",
    "relayctl networks list --where network_type=evm --where is_testnet",
    "relayctl networks list -o csv --fields id,chain_id",
  ],
  resource: networkView,
});
