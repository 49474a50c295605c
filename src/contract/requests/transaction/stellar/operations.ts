import * as z from "zod/mini";
import { refusing } from "../../schema-parts.ts";
import { isSoroban, operationSchema } from "./operation.ts";

export const operationsSchema = z.array(operationSchema, "a list of operations");

/** The fields that the rules below check. */
interface Body {
  operations?: z.infer<typeof operationsSchema> | null;
  memo?: { type: string } | null;
}

/** The maximum number of operations (facts 5.7). */
const MOST = 100;

/** The rules of a list of operations, in the service's words and order. */
export const operationsRules = [
  refusing<Body>(
    "operations",
    (body) => `Transaction has ${countOf(body)} operations, but maximum allowed is ${MOST}`,
    (body) => countOf(body) > MOST,
  ),
  refusing<Body>("operations", "Transaction can contain at most one Soroban operation", (body) => sorobanIn(body) > 1),
  refusing<Body>(
    "operations",
    "Soroban operations must be exclusive - no other operations allowed in the same transaction",
    (body) => sorobanIn(body) === 1 && countOf(body) > 1,
  ),
  refusing<Body>(
    "memo",
    "Soroban operations cannot have a memo (except MemoNone)",
    (body) => sorobanIn(body) > 0 && (body.memo ?? { type: "none" }).type !== "none",
  ),
];

function countOf({ operations }: Body): number {
  return operations?.length ?? 0;
}

function sorobanIn({ operations }: Body): number {
  return operations?.filter(isSoroban).length ?? 0;
}
