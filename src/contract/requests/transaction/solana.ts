import * as z from "zod/mini";
import { serializedProblem } from "../../transaction/solana-transaction.ts";
import { optional, problemCheck, refusing } from "../schema-parts.ts";
import { solanaValidUntil } from "../valid-until.ts";
import { instructionSchema, SOLANA_LIMITS } from "./instruction.ts";

const { instructions: most, accounts: mostAccounts } = SOLANA_LIMITS;

/** A serialized Solana transaction. */
export const encodedTransaction = z.string().check(problemCheck(serializedProblem));

/** The fields alone, without the rules across them. */
export const solanaTransactionShape = z.strictObject({
  transaction: optional(encodedTransaction),
  instructions: optional(z.array(instructionSchema, "a list of instructions")),
  valid_until: optional(solanaValidUntil),
});

type Body = z.infer<typeof solanaTransactionShape>;

/** facts 5.8, with the service's messages. An empty list of instructions counts as absent. */
export const solanaTransactionSchema = solanaTransactionShape.check(
  refusing(
    "transaction",
    "Cannot provide both transaction and instructions",
    (body) => Boolean(body.transaction) && countOf(body) > 0,
  ),
  refusing(
    "transaction",
    "Must provide either transaction or instructions",
    (body) => !body.transaction && countOf(body) === 0,
  ),
  refusing(
    "instructions",
    (body) => `Too many instructions: ${countOf(body)} exceeds maximum of ${most}`,
    (body) => countOf(body) > most,
  ),
  refusing(
    "instructions",
    (body) => `Too many unique accounts: ${accountsOf(body)} exceeds Solana's limit of ${mostAccounts}`,
    (body) => accountsOf(body) > mostAccounts,
  ),
);

function countOf({ instructions }: Body): number {
  return instructions?.length ?? 0;
}

function accountsOf({ instructions }: Body): number {
  return new Set(instructions?.flatMap(({ accounts }) => accounts.map(({ pubkey }) => pubkey))).size;
}
