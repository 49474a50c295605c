import { base58Bytes, solanaAddressProblem } from "../../encoding/base58.ts";
import { base64Bytes } from "../../encoding/base64.ts";
import { serializedSolanaProblem } from "../../transaction/solana-transaction.ts";
import { optionalSchema, problemSchemaCheck, refuseIf, solanaValidUntil } from "../schema-parts.ts";
import * as z from "../zod.ts";

/** The maxima of facts 5.8. */
const [MOST_INSTRUCTIONS, MOST_ACCOUNTS, MOST_DATA_BYTES] = [64, 64, 1232];

const account = z.strictObject({
  pubkey: z.string().check(problemSchemaCheck(pubkeyProblem)),
  is_signer: z.boolean("true or false"),
  is_writable: z.boolean("true or false"),
});

/** One instruction of a Solana transaction, with the service's messages (facts 5.8). */
const instructionSchema = z.strictObject({
  program_id: z.string().check(problemSchemaCheck(programProblem)),
  accounts: z.array(account).check(
    z.refine((list) => list.length <= MOST_ACCOUNTS, {
      error: ({ input }) => `Too many accounts ${(input as unknown[]).length} exceeds maximum of ${MOST_ACCOUNTS}`,
    }),
  ),
  data: z.string().check(problemSchemaCheck(dataProblem)),
});

function pubkeyProblem(text: string): string | undefined {
  if (text === "") return "pubkey cannot be empty";
  const problem = solanaAddressProblem(text);
  return problem && `Invalid pubkey '${text}' - ${problem}`;
}

function programProblem(text: string): string | undefined {
  if (text === "") return "program_id cannot be empty";
  const problem = solanaAddressProblem(text);
  if (problem) return `Invalid program_id '${text}' - ${problem}`;
  return base58Bytes(text)?.every((byte) => byte === 0) ? "program_id cannot be default pubkey" : undefined;
}

function dataProblem(text: string): string | undefined {
  const bytes = base64Bytes(text);
  if (!bytes) return "Invalid base64 data - it is not base64 with its padding";
  return bytes.length > MOST_DATA_BYTES
    ? `Data too large (${bytes.length} bytes, max: ${MOST_DATA_BYTES} bytes)`
    : undefined;
}

export const encodedTransaction = z.string().check(problemSchemaCheck(serializedSolanaProblem));

/** Only the fields, without the rules across them. */
export const solanaTransactionShape = z.strictObject({
  transaction: optionalSchema(encodedTransaction),
  instructions: optionalSchema(z.array(instructionSchema, "a list of instructions")),
  valid_until: optionalSchema(solanaValidUntil),
});

type Body = z.infer<typeof solanaTransactionShape>;

/** facts 5.8, with the service's messages. An empty list of instructions counts as absent. */
export const solanaTransactionSchema = solanaTransactionShape.check(
  refuseIf(
    "transaction",
    "Cannot provide both transaction and instructions",
    (body) => Boolean(body.transaction) && countItems(body) > 0,
  ),
  refuseIf(
    "transaction",
    "Must provide either transaction or instructions",
    (body) => !body.transaction && countItems(body) === 0,
  ),
  refuseIf(
    "instructions",
    (body) => `Too many instructions: ${countItems(body)} exceeds maximum of ${MOST_INSTRUCTIONS}`,
    (body) => countItems(body) > MOST_INSTRUCTIONS,
  ),
  refuseIf(
    "instructions",
    (body) => `Too many unique accounts: ${countAccounts(body)} exceeds Solana's limit of ${MOST_ACCOUNTS}`,
    (body) => countAccounts(body) > MOST_ACCOUNTS,
  ),
);

function countItems({ instructions }: Body): number {
  return instructions?.length ?? 0;
}

function countAccounts({ instructions }: Body): number {
  return new Set(instructions?.flatMap(({ accounts }) => accounts.map(({ pubkey }) => pubkey))).size;
}
