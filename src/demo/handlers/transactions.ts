import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import {
  Refusal,
  relayerDisabled,
  relayerMissing,
  relayerPaused,
  replacedMissing,
  transactionUnknown,
} from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";
import { changesFrom } from "../replacement/changes.ts";
import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";

/** Not in interface.md; service-facts 3.4. */
export const getTransaction: Handler = async ({ ids: [relayerId = "", id = ""], store }) =>
  store.read((state) => {
    if (!state.relayers.get(relayerId)) throw relayerMissing(relayerId);
    const transaction = transactionOf(state, relayerId, id);
    if (!transaction) throw transactionUnknown(id);
    return { data: transaction };
  });

/** interface.md, Replace a transaction. The order of the checks is that of service-facts 5.4. */
export const replaceTransaction: Handler = async ({ ids: [relayerId = "", id = ""], request, store }) => {
  const body = jsonBody(request);
  return store.change((state) => {
    const relayer = state.relayers.get(relayerId);
    if (!relayer) throw replacedMissing();
    refuseIdle(relayer);
    const changes = changesFrom[kindOf(relayer)](body);
    const old = transactionOf(state, relayerId, id);
    if (!old) throw replacedMissing();
    refuseFinal(old);
    state.hashes += 1;
    const replaced = { ...old, ...changes(old, state.hashes) };
    state.transactions.put(replaced);
    return { data: replaced };
  });
};

function transactionOf(state: DemoState, relayerId: string, id: string): Resource | undefined {
  const transaction = state.transactions.get(id);
  return transaction?.relayer_id === relayerId ? transaction : undefined;
}

function refuseIdle(relayer: Resource): void {
  if (relayer.paused === true) throw relayerPaused();
  if (relayer.system_disabled === true) throw relayerDisabled();
}

const REPLACEABLE = ["Pending", "Sent", "Submitted"];

/** service-facts 5.4: the state is named as the service's own source writes it. */
function refuseFinal(transaction: Resource): void {
  const status = String(transaction.status);
  const current = status.charAt(0).toUpperCase() + status.slice(1);
  if (REPLACEABLE.includes(current)) return;
  const expected = REPLACEABLE.join(", ");
  throw new Refusal(
    400,
    `Invalid transaction state for replace_transaction. Current: ${current}, Expected one of: [${expected}]`,
  );
}
