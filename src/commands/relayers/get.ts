import { symbolFor } from "../../coins/coin-symbol.ts";
import { refuseWithWeb, showExplorerPage, showsPage, WEB_FLAG } from "../../command-support/explorer-page.ts";
import { describeDisabledRecovery, disabledRecoveryLine } from "../../relayer-state/disabled.ts";
import { relayerView } from "../../views/relayer.ts";
import { type Call, createCommand } from "../command.ts";
import { createGetCommand } from "../get-command.ts";
import { relayerArgument } from "../resource-arguments.ts";
import { drawnRelayer } from "./change/drawn-relayer.ts";

const relayers = createGetCommand({
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
        ? [`disabled by the service: ${disabledRecoveryLine(describeDisabledRecovery(relayer, flags))}`]
        : [],
  }),
});

export const relayersGet = createCommand({
  ...relayers,
  contexts: { oneOnly: ["web"] },
  ends: { ...relayers.ends, unmet: "no explorer is known (--web)" },
  define: (command) => command.option("--web", WEB_FLAG),
  async prepare(call, problems) {
    const ids = (await relayers.prepare?.(call, problems)) ?? [];
    refuseWithWeb(call, problems, ids.length);
    return ids;
  },
  async run(call, ids) {
    const [id] = ids;
    if (id === undefined || !showsPage(call)) return await relayers.run(call, ids);
    const { client } = await call.session();
    const relayer = (await client.relayers.get(id)).data;
    return await showExplorerPage(call, relayer, { address: String(relayer.address ?? "") });
  },
});

function showsAll({ output: { format = "table", fields, query } }: Call): boolean {
  return fields === undefined && query === undefined && !["name", "raw"].includes(format);
}
