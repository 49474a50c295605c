import { isNumber } from "../decimal.ts";
import type { Operation } from "../operation.ts";
import { fields, object, text, that } from "../reply/shape.ts";
import { transactionShape } from "../transaction/transaction.ts";

/** The cost of a sponsored transaction: the only field of both kinds (facts 3.5). */
const quoteShape = object({
  conversion_rate: that((value) => typeof value === "string" || (value !== undefined && isNumber(value))),
});

/** A built sponsored transaction: in both kinds, the transaction itself (facts 3.5). */
const builtShape = object({ transaction: text });

/** Not in the interface (facts 3.0), since v1.0. */
export const txGet = {
  id: "tx.get",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}/transactions/{transaction_id}",
  data: transactionShape,
  answers: "id",
} as const satisfies Operation;

/** interface 4.3. The body is validated by its kind; see `replacementSchemas`. */
export const txReplace = {
  id: "tx.replace",
  kind: "once",
  method: "PUT",
  path: "/relayers/{relayer_id}/transactions/{transaction_id}",
  data: transactionShape,
  answers: "id",
} as const satisfies Operation;

/** facts 3.4: newest first; `status` filters since v1.6 and is ignored before. */
export const txList = {
  id: "tx.list",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}/transactions",
  data: transactionShape,
  list: true,
} as const satisfies Operation;

/** facts 3.4; only EVM has nonces. */
export const txGetByNonce = {
  id: "tx.get-by-nonce",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}/transactions/by-nonce/{nonce}",
  data: transactionShape,
  answers: "nonce",
} as const satisfies Operation;

/** facts 5.3, 5.7, 5.8. There is no idempotency key: a second POST is a second transaction. */
export const txSend = {
  id: "tx.send",
  kind: "once",
  method: "POST",
  path: "/relayers/{relayer_id}/transactions",
  data: transactionShape,
} as const satisfies Operation;

/** facts 5.5: accepted does not mean done. */
export const txCancel = {
  id: "tx.cancel",
  kind: "remove",
  method: "DELETE",
  path: "/relayers/{relayer_id}/transactions/{transaction_id}",
  data: transactionShape,
  answers: "id",
} as const satisfies Operation;

/** facts 5.6: the service's own bulk call. It cancels nothing, so `tx cancel-pending` does not use it. */
export const txDeletePending = {
  id: "tx.delete-pending",
  kind: "once",
  method: "DELETE",
  path: "/relayers/{relayer_id}/transactions/pending",
  data: fields,
} as const satisfies Operation;

/** facts 3.5. */
export const txQuote = {
  id: "tx.quote",
  kind: "read",
  method: "POST",
  path: "/relayers/{relayer_id}/transactions/sponsored/quote",
  data: quoteShape,
  since: "1.3",
} as const satisfies Operation;

/** facts 3.5. */
export const txBuild = {
  id: "tx.build",
  kind: "read",
  method: "POST",
  path: "/relayers/{relayer_id}/transactions/sponsored/build",
  data: builtShape,
  since: "1.3",
} as const satisfies Operation;
