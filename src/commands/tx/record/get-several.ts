import { isDryRun, showRequests } from "../../../command-support/shown.ts";
import { operations } from "../../../contract/operations.ts";
import type { Problems } from "../../../contract/problems.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { getSeveralView } from "../../get-command.ts";
import { drawnList, placeMap } from "../list/drawn-list.ts";
import { createCallField } from "./call-field.ts";

const OF_ONE = [
  ["onChain", "--on-chain", "compares one transaction with the chain; specify one transaction"],
  ["why", "--why", "explains one transaction; specify one transaction"],
  ["watch", "--watch", "follows one transaction; for several, use `relayctl tx wait`"],
  ["was", "--was", "is a hash of one transaction; specify one transaction"],
] as const;

export function refuseSeveral(flags: Partial<Record<(typeof OF_ONE)[number][0], unknown>>, problems: Problems): void {
  for (const [name, flag, rule] of OF_ONE) if (flags[name] !== undefined) problems.add(flag, rule);
}

export async function getSeveralTransactions(call: Call, relayerId: string, ids: readonly string[]): Promise<View> {
  const requestFor = (id: string) => ({
    operation: operations["tx.get"],
    parameters: { relayer_id: relayerId, transaction_id: id },
  });
  if (isDryRun(call)) return await showRequests(call, ids.map(requestFor));
  const { resource, pages } = drawnList(call, () => placeMap(call, relayerId), {
    readCall: await createCallField(call),
  });
  const view = await getSeveralView(call, {
    ids,
    noun: "transactions",
    resource,
    get: (client, id) => client.tx.get(relayerId, id),
  });
  return { ...view, pages: pages(view.pages) };
}
