import type { Handler } from "../handler.ts";
import { transactionsOf } from "../lifecycle/nonces.ts";
import { nonceNeedsEvm, nonceNotNumber, nonceUnknown } from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";
import { type FindTransaction, relayerOf, transactionOf } from "../transaction/lookup.ts";
import { newestFirst } from "../transaction/order.ts";

/** Reads a transaction. Not in the interface; facts 3.4. */
export function gettingBy(find: FindTransaction): Handler {
  return async ({ ids: [relayerId = "", id = ""], store }) =>
    store.read((state) => {
      relayerOf(state, relayerId);
      return { data: find(state, relayerId, id) };
    });
}

export const getTransaction = gettingBy(transactionOf);

/**
 * Reads a transaction by nonce (facts 3.4). If a failed transaction and the one that filled its gap share a nonce,
 * returns the newer one.
 */
export const getTransactionByNonce: Handler = async ({ ids: [relayerId = "", nonce = ""], store }) => {
  if (!/^[0-9]+$/.test(nonce)) throw nonceNotNumber(nonce);
  return store.read((state) => {
    if (kindOf(relayerOf(state, relayerId)) !== "evm") throw nonceNeedsEvm();
    const [found] = newestFirst(transactionsOf(state, relayerId).filter((each) => String(each.nonce) === nonce));
    if (!found) throw nonceUnknown(nonce);
    return { data: found };
  });
};
