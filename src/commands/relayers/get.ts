import { symbolFor } from "../../coins/symbol-for.ts";
import { outlookLine, outlookOf } from "../../relayer-state/outlook.ts";
import { relayerView } from "../../views/relayer.ts";
import type { Call } from "../command.ts";
import { getCommand } from "../get-command.ts";
import { relayerArgument } from "../relayer-arguments.ts";
import { drawnRelayer } from "./change/drawn-relayer.ts";

/** `relayctl relayers get <id>`: reads from the service's direct route, or from the list. */
export const relayersGet = getCommand({
  noun: "relayers",
  summary: "Show relayers with their policies and RPC URLs",
  description: "Show one relayer: its state, address, RPC URLs, and policies.",
  examples: [
    "relayctl relayers get eth-main-2",
    "relayctl relayers get eth-main-1 -o json --query policies.gas_price_cap",
    "relayctl relayers get xlm-pay --fields system_disabled,disabled_reason",
  ],
  resource: relayerView,
  argument: relayerArgument,
  get: (client, id) => client.relayers.get(id),
  shown: (call) => ({
    viewOf: (relayer) => drawnRelayer(call, relayer, symbolFor),
    notesOn: (relayer, flags) =>
      relayer.system_disabled && showsAll(call)
        ? [`disabled by the service: ${outlookLine(outlookOf(relayer, flags))}`]
        : [],
  }),
});

/** Returns whether the whole relayer is shown, in which case additional facts are too. */
function showsAll({ output: { format = "table", fields, query } }: Call): boolean {
  return fields === undefined && query === undefined && !["name", "raw"].includes(format);
}
