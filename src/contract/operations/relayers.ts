import { jsonRpcReplyShape } from "../json-rpc.ts";
import type { Operation } from "../operation.ts";
import { anything, deletion, fields, nullish, object, text } from "../reply/shape.ts";
import { balanceShape, relayerShape } from "../resources/relayer.ts";

/** The signature of an EVM relayer (facts 3.2): hex without `0x`; `sig` is `r`, `s`, and `v` in one. */
const signatureShape = object({ sig: text, r: nullish(text), s: nullish(text), v: nullish(anything) });

/** A signed transaction: Stellar's in `signedXdr`, the only field in camel case, and Solana's in `transaction`. */
const signedTransactionShape = object({
  signature: text,
  signedXdr: nullish(text),
  transaction: nullish(text),
});

/** interface 4.1. */
export const relayersList = {
  id: "relayers.list",
  kind: "read",
  method: "GET",
  path: "/relayers",
  data: relayerShape,
  list: true,
} as const satisfies Operation;

/** Not in the interface (facts 3.0), since v1.0. */
export const relayersGet = {
  id: "relayers.get",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}",
  data: relayerShape,
  answers: "id",
} as const satisfies Operation;

/** interface 4.2. A merge patch (facts 4.5). */
export const relayersUpdate = {
  id: "relayers.update",
  kind: "patch",
  method: "PATCH",
  path: "/relayers/{relayer_id}",
  data: relayerShape,
  answers: "id",
} as const satisfies Operation;

/** facts 3.1. If the response of a create is lost, nothing reveals a generated ID, so the client generates it. */
export const relayersCreate = {
  id: "relayers.create",
  kind: "create",
  method: "POST",
  path: "/relayers",
  data: relayerShape,
  since: "1.1",
} as const satisfies Operation;

/** facts 3.1; rejected while a transaction is in progress. */
export const relayersDelete = {
  id: "relayers.delete",
  kind: "remove",
  method: "DELETE",
  path: "/relayers/{relayer_id}",
  data: deletion,
  since: "1.1",
} as const satisfies Operation;

/** facts 3.1: balance, counts, and the relayer's own nonce or sequence, as its node reports them now. */
export const relayersStatus = {
  id: "relayers.status",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}/status",
  data: fields,
} as const satisfies Operation;

/** facts 3.1: `{balance, unit}`, an integer of any size. */
export const relayersBalance = {
  id: "relayers.balance",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}/balance",
  data: balanceShape,
} as const satisfies Operation;

/** facts 3.3: JSON-RPC, no envelope. Never sent twice, unless its method only reads. */
export const relayersRpc = {
  id: "relayers.rpc",
  kind: "once",
  method: "POST",
  path: "/relayers/{relayer_id}/rpc",
  data: jsonRpcReplyShape,
  bare: true,
} as const satisfies Operation;

/** facts 3.2. Nothing is sent to a chain, so it is a read (promises 7.1). */
export const relayersSign = {
  id: "relayers.sign",
  kind: "read",
  signs: true,
  method: "POST",
  path: "/relayers/{relayer_id}/sign",
  data: signatureShape,
} as const satisfies Operation;

/** facts 3.2. */
export const relayersSignTypedData = {
  id: "relayers.sign-typed-data",
  kind: "read",
  signs: true,
  method: "POST",
  path: "/relayers/{relayer_id}/sign-typed-data",
  data: signatureShape,
} as const satisfies Operation;

/** facts 3.2. */
export const relayersSignTransaction = {
  id: "relayers.sign-transaction",
  kind: "read",
  signs: true,
  method: "POST",
  path: "/relayers/{relayer_id}/sign-transaction",
  data: signedTransactionShape,
  since: "1.1",
} as const satisfies Operation;
