import type { ApiRequest } from "../../client/request.ts";
import { isDryRun, showRequests } from "../../command-support/shown.ts";
import { operations } from "../../contract/operations.ts";
import type { Balance } from "../../contract/resources/relayer.ts";
import type { View } from "../../terminal/view.ts";
import { balancesViewIn, balanceViewIn, isInCoin } from "../../views/balance.ts";
import { isBulkCommand } from "../bulk/flags.ts";
import { drawnSymbol } from "../coins/drawn-symbol.ts";
import { type Call, createCommand } from "../command.ts";
import { getSeveralArgument, getSeveralIds, getSeveralView, getView } from "../get-command.ts";
import { relayerArgument } from "../resource-arguments.ts";

export const relayersBalance = createCommand({
  summary: "Show the balance of relayers, exact and with its unit",
  sends: "read",
  ends: { partial: "some failed" },
  examples: [
    "relayctl relayers balance eth-main-1",
    "relayctl relayers balance base-hot sol-pay xlm-treasury -o json",
    "relayctl relayers balance polygon-bulk --fields balance -o tsv",
  ],
  resource: balancesViewIn(() => undefined),
  args: [getSeveralArgument(relayerArgument)],
  paginates: isBulkCommand,
  contexts: {},
  description:
    "Show the balance of each relayer's address as its node reports it now: in readable form, and in full in wei, lamports, or stroops. In scripts, the balance of one relayer is the service's own data; of several relayers, each balance also has a relayer_id.",
  async prepare(call, problems) {
    const ids = await getSeveralIds(call, problems, "relayer");
    const { fields } = call.output;
    if (ids.length === 1 && fields?.split(",").includes("relayer_id"))
      problems.add("--fields", "relayer_id is only available for several relayers", fields);
    return ids;
  },
  async run(call, ids) {
    const [id, ...more] = ids;
    if (id !== undefined && more.length === 0)
      return await getView(call, {
        resource: balanceViewIn(undefined),
        request: requestFor(id),
        get: (client) => client.relayers.balance(id),
        viewOf: async (found) => balanceViewIn(isInCoin(found) ? await drawnSymbol(call, id) : undefined),
        nameOf: () => id,
      });
    return isDryRun(call) ? await showRequests(call, ids.map(requestFor)) : await severalBalances(call, ids);
  },
});

function requestFor(id: string): ApiRequest {
  return { operation: operations["relayers.balance"], parameters: { relayer_id: id } };
}

async function severalBalances(call: Call, ids: readonly string[]): Promise<View> {
  const symbols = new Map<string, string | undefined>();
  return await getSeveralView<Balance>(call, {
    ids,
    noun: "relayers",
    resource: balancesViewIn((id) => symbols.get(id)),
    async get(client, id) {
      const balance = await client.relayers.balance(id);
      if (isInCoin(balance.data)) symbols.set(id, await drawnSymbol(call, id));
      return balance;
    },
    itemOf: (id, balance) => ({ relayer_id: id, ...balance }),
  });
}
