import * as z from "zod/mini";
import { base58Bytes, solanaAddressProblem } from "../../encoding/base58.ts";
import { base64Bytes } from "../../encoding/base64.ts";
import { problemCheck } from "../schema-parts.ts";

/** facts 5.8: the maximum of each. */
export const SOLANA_LIMITS = { instructions: 64, accounts: 64, dataBytes: 1232 } as const;

const { accounts, dataBytes } = SOLANA_LIMITS;

const account = z.strictObject({
  pubkey: z.string().check(problemCheck(pubkeyProblem)),
  is_signer: z.boolean("true or false"),
  is_writable: z.boolean("true or false"),
});

/** One instruction of a Solana transaction, with the service's messages (facts 5.8). */
export const instructionSchema = z.strictObject({
  program_id: z.string().check(problemCheck(programProblem)),
  accounts: z.array(account).check(
    z.refine((list) => list.length <= accounts, {
      error: ({ input }) => `Too many accounts ${(input as unknown[]).length} exceeds maximum of ${accounts}`,
    }),
  ),
  data: z.string().check(problemCheck(dataProblem)),
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
  return bytes.length > dataBytes ? `Data too large (${bytes.length} bytes, max: ${dataBytes} bytes)` : undefined;
}
