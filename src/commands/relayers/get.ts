import { operations } from "../../contract/operations.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers get <id>`: by the service's own route, else from the list. */
export const relayersGet: CommandFile = {
  summary: "show one relayer with its policies and RPC URLs",
  examples: [
    "relayctl relayers get eth-main-2",
    "relayctl relayers get eth-main-1 -o json --query policies.gas_price_cap",
    "relayctl relayers get xlm-pay --fields system_disabled,disabled_reason",
  ],
  resource: relayerView,
  define(command) {
    command.description("Show one relayer: state, address, RPC URLs and policies.").argument("<id>", "the relayer's id, or - for one line of stdin");
  },
  run: (call: Call): Promise<View> =>
    getView(call, relayerView, operations["relayers.get"], "relayer_id", (client, id) => client.relayers.get(id)),
};
