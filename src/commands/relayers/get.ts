import { readId } from "../../command-support/ids.ts";
import { operations } from "../../contract/operations.ts";
import { symbolFor } from "../coins/symbol-for.ts";
import type { Call, CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { relayerArgument } from "./arguments.ts";
import { drawnRelayer } from "./change/drawn-relayer.ts";
import { outlookLine, outlookOf } from "./disabled/outlook.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers get <id>`: by the service's own route, else from the list. */
export const relayersGet: CommandFile<object, string> = {
  summary: "Show one relayer with its policies and RPC URLs",
  sends: "read",
  examples: [
    "relayctl relayers get eth-main-2",
    "relayctl relayers get eth-main-1 -o json --query policies.gas_price_cap",
    "relayctl relayers get xlm-pay --fields system_disabled,disabled_reason",
  ],
  resource: relayerView,
  args: [relayerArgument],
  define(command) {
    command.description("Show one relayer: its state, address, RPC URLs, and policies.");
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    getView(call, {
      resource: relayerView,
      request: { operation: operations["relayers.get"], parameters: { relayer_id: id } },
      get: (client) => client.relayers.get(id),
      viewOf: (relayer) => drawnRelayer(call, relayer, symbolFor),
      notesOn: (relayer, flags) =>
        relayer.system_disabled && showsAll(call)
          ? [`disabled by the service: ${outlookLine(outlookOf(relayer, flags))}`]
          : [],
    }),
};

/** Whoever asks for a part, or for the response as it came, asks for nothing else. */
function showsAll({ output: { format = "table", fields, query } }: Call): boolean {
  return fields === undefined && query === undefined && !["name", "raw"].includes(format);
}
