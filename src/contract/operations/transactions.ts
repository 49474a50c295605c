import type { Operation } from "../operation.ts";
import { transactionSchema } from "../transaction.ts";

/** Not in interface.md; service-facts 3.0, since v1.0. */
export const txGet = {
  id: "tx.get",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}/transactions/{transaction_id}",
  data: transactionSchema,
  answers: "id",
} as const satisfies Operation;

/** interface.md, Replace a transaction. The body is judged by its kind, see `replacementSchemas`. */
export const txReplace = {
  id: "tx.replace",
  kind: "once",
  method: "PUT",
  path: "/relayers/{relayer_id}/transactions/{transaction_id}",
  data: transactionSchema,
  answers: "id",
} as const satisfies Operation;
