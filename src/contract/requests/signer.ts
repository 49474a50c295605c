import { addressProblem } from "../address.ts";
import { solanaAddressProblem } from "../encoding/base58.ts";
import { newIdProblem } from "../id.ts";
import { MAX_U32 } from "../largest-integers.ts";
import { SIGNER_TYPES, type SignerField, type SignerType, signerFields } from "../resources/signer.ts";
import { base64, integer, problemCheck } from "./schema-parts.ts";
import * as z from "./zod.ts";

const someText = z.string().check(z.minLength(1, "cannot be empty"));

/** facts 8.1. An error about a secret never contains any part of it. */
const RULES: Record<NonNullable<SignerField["rule"]>, z.ZodMiniType> = {
  "hex key": z.string().check(problemCheck(keyProblem)),
  url: z.string().check(z.refine((url) => URL.canParse(url), "an absolute URL")),
  base64: base64("is not base64"),
  "account address": z.string().check(problemCheck(accountProblem)),
  u32: integer(0n, MAX_U32),
  "any text": z.string(),
};

export const createSignerSchemas = Object.fromEntries(
  SIGNER_TYPES.map((type) => [type, creationSchema(type)]),
) as Record<SignerType, z.ZodMiniType>;

function creationSchema(type: SignerType): z.ZodMiniType {
  return z.strictObject({
    id: z.exactOptional(z.string().check(problemCheck(newIdProblem))),
    type: z.literal(type),
    config: configSchema(signerFields[type]),
  });
}

function configSchema(fields: readonly SignerField[]): z.ZodMiniType {
  return z.strictObject(Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])));
}

function schemaOfField({ fields, words, rule, optional }: SignerField): z.ZodMiniType {
  const word = words && z.enum([...words], `one of ${words.join(", ")}`);
  const schema = fields ? configSchema(fields) : (word ?? (rule ? RULES[rule] : someText));
  return optional ? z.optional(z.nullable(schema)) : schema;
}

const HEX_KEY = "Key must be a 64-character hex string (32 bytes).";

function keyProblem(key: string): string | undefined {
  if (/^0x/i.test(key)) return `Invalid hex key format: it is written without 0x. ${HEX_KEY}`;
  if (!/^[0-9a-f]*$/i.test(key)) return `Invalid hex key format: not hex. ${HEX_KEY}`;
  if (key.length % 2 === 1) return `Invalid hex key format: an odd number of digits. ${HEX_KEY}`;
  if (key.length !== 64) return `Raw key must be exactly 32 bytes, got ${key.length / 2} bytes`;
  return /^0+$/.test(key) ? "cannot be all zeros" : undefined;
}

function accountProblem(address: string): string | undefined {
  if (address.startsWith("0x")) return addressProblem(address);
  return solanaAddressProblem(address) && "an EVM address, which begins with 0x, or a Solana address";
}

/** Returns why a text cannot be a field of a signer's config, or undefined. The message contains none of the text. */
export function fieldProblem(field: SignerField, text: string): string | undefined {
  return schemaOfField(field).safeParse(text).error?.issues[0]?.message;
}
