import { addressProblem, hexBytesProblem } from "./address.ts";
import { MAX_INT64, MAX_U32, MAX_U64, MAX_U128 } from "./amount.ts";
import { solanaAddressProblem } from "./encoding/base58.ts";
import { base64Bytes } from "./encoding/base64.ts";
import { strkeyProblem } from "./encoding/strkey.ts";
import { idProblem, newIdProblem } from "./id.ts";
import { isJsonInteger, isJsonObject, type JsonObject, objectIn } from "./json.ts";
import type { NetworkKind } from "./network-kind.ts";
import { NATIVE, type PolicyFields, policyFieldAt, policyFields, stellarAssetProblem } from "./policy.ts";
import { policyFieldsSchema } from "./requests/policy-field.ts";
import {
  base64Schema,
  evmValidUntil,
  int64,
  intSchema,
  problemSchemaCheck,
  refuseIf,
  stellarValidUntil,
  u128,
} from "./requests/schema-parts.ts";
import { isSignedXdr, memoSchema } from "./requests/transaction/stellar/fields.ts";
import { crossedPrices, mixedPrices } from "./requests/transaction.ts";
import * as z from "./requests/zod.ts";
import { type FieldTable, MAX_RELAYER_WEIGHT, orderedFields, type SentField, sentFields } from "./resources/field.ts";
import type { FieldValue } from "./resources/field-types.ts";
import { MAX_NETWORK_WEIGHT } from "./resources/network.ts";
import { notificationFields } from "./resources/notification.ts";
import { pluginFields } from "./resources/plugin.ts";
import { relayerFields } from "./resources/relayer.ts";
import { AZURE_NEEDS, SIGNER_TYPES, type SignerField, type SignerType, signerFields } from "./resources/signer.ts";
import { isMaskedRpcUrl, MASKED_URL, maskRpcUrl } from "./rpc-url.ts";
import { type Replacement, SPEEDS } from "./transaction/replacement-price.ts";

export { policyFieldSchema, policyItemSchema } from "./requests/policy-field.ts";
export { type SponsoredKind, sponsoredSchemas } from "./requests/sponsored.ts";
export {
  evmStage,
  stellarStages,
  transactionSchemas,
  transactionShapes,
  transferShape,
} from "./requests/transaction.ts";

/** facts 3.3, with the words of its rules. The service adds `jsonrpc` and `id`. */
export const jsonRpcSchema = z.looseObject({
  jsonrpc: z.exactOptional(z.string()),
  id: z.exactOptional(z.custom(isId, "Invalid 'id' field: must be a string, integer, or null")),
  method: z.string("Missing 'method' field").check(z.minLength(1, "Missing 'method' field")),
  params: z.exactOptional(
    z.custom((value) => value === null || Array.isArray(value) || isJsonObject(value), "a list or an object"),
  ),
});

function isId(value: unknown): boolean {
  if (value === null || typeof value === "string") return true;
  return isJsonInteger(value) && BigInt(value) >= -MAX_INT64 - 1n && BigInt(value) <= MAX_INT64;
}

/** Has the rules across fields that a patch by itself can break. The service validates the others after the merge. */
export const policySchemas: Record<NetworkKind, z.ZodMiniType<JsonObject>> = {
  evm: policyFieldsSchema(policyFields.evm) as z.ZodMiniType<JsonObject>,
  solana: (policyFieldsSchema(policyFields.solana) as z.ZodMiniType<JsonObject>).check(
    z.refine((policy) => !(policy.allowed_accounts && policy.disallowed_accounts), {
      path: ["disallowed_accounts"],
      error: "allowed_accounts and disallowed_accounts cannot be both present",
    }),
    swapNeedsUser,
    optionsNeedJupiterSwap,
  ),
  stellar: (policyFieldsSchema(policyFields.stellar) as z.ZodMiniType<JsonObject>).check(
    z.refine((policy) => policy.fee_payment_strategy !== null, {
      path: ["fee_payment_strategy"],
      error: "Fee payment strategy is required",
    }),
    swapNeedsUser,
  ),
};

function swapNeedsUser({ value, issues }: z.core.ParsePayload<JsonObject>): void {
  const { fee_payment_strategy, swap_config } = value;
  if (fee_payment_strategy !== "relayer" || !isJsonObject(swap_config)) return;
  const message = "Swap config only supported for user fee payment strategy";
  issues.push({ code: "custom", path: ["swap_config"], message, input: value });
}

function optionsNeedJupiterSwap({ value, issues }: z.core.ParsePayload<JsonObject>): void {
  const { strategy, jupiter_swap_options } = objectIn(value.swap_config);
  if (typeof strategy !== "string" || strategy === "jupiter-swap" || !isJsonObject(jupiter_swap_options)) return;
  const message = "JupiterSwap options are only valid for JupiterSwap strategy";
  issues.push({ code: "custom", path: ["swap_config", "jupiter_swap_options"], message, input: value });
}

/** The same for typed policies: the service accepts invalid addresses, and then blocks every payment (facts 13.3). */
export const typedPolicySchemas: typeof policySchemas = {
  evm: policySchemas.evm.check(refuseOtherTexts("evm")),
  solana: policySchemas.solana.check(refuseOtherTexts("solana")),
  stellar: policySchemas.stellar.check(refuseOtherTexts("stellar")),
};

function refuseOtherTexts(kind: NetworkKind) {
  return ({ value, issues }: z.core.ParsePayload<JsonObject>): void => {
    replaceRequestAddresses(value, kind, (text, path) => {
      const message = requestAddressProblem(kind, text);
      if (message !== undefined) issues.push({ code: "custom", path, message, input: text });
      return text;
    });
  };
}

/** Returns why a text is not an address as a list of policies of this kind has it, with its checksum verified. */
export function requestAddressProblem(kind: NetworkKind, text: string): string | undefined {
  if (text.includes("@")) return "a label is known on this machine only; write its address";
  if (kind !== "stellar") return kind === "evm" ? addressProblem(text) : solanaAddressProblem(text);
  const problem = stellarAssetProblem(text);
  if (problem !== undefined || NATIVE.includes(text)) return problem;
  const [, issuer] = text.split(":");
  return issuer === undefined ? strkeyProblem(text, ["C"]) : strkeyProblem(issuer, ["G"]);
}

export function replaceRequestAddresses(
  policies: JsonObject,
  kind: NetworkKind,
  addressOf: (typed: string, path: (string | number)[]) => string,
): JsonObject {
  const fields: PolicyFields = policyFields[kind];
  const replaced = Object.entries(policies).map(([name, list]) => {
    const field = policyFieldAt(fields, name);
    if (field?.type !== "list" || !field.addresses || !Array.isArray(list)) return [name, list];
    const key = field.entry?.key;
    const items = list.map((item, index) => {
      if (typeof item === "string" && key === undefined) return addressOf(item, [name, index]);
      const typed = isJsonObject(item) && key !== undefined ? item[key] : undefined;
      if (!isJsonObject(item) || key === undefined || typeof typed !== "string") return item;
      return { ...item, [key]: addressOf(typed, [name, index, key]) };
    });
    return [name, items];
  });
  return Object.fromEntries(replaced);
}

/** The interface sets no upper bound for gas prices (interface 3.1); in the service they are u128 (facts 5.3). */
const price = intSchema(0n, MAX_U128, `a whole number of wei from 0 to ${MAX_U128}`);

const evmShape = z.strictObject({
  value: u128,
  to: z.exactOptional(z.string().check(problemSchemaCheck(addressProblem))),
  data: z.exactOptional(z.string().check(problemSchemaCheck(hexBytesProblem))),
  gas_limit: z.exactOptional(z.nullable(int64)),
  gas_price: z.exactOptional(price),
  max_fee_per_gas: z.exactOptional(price),
  max_priority_fee_per_gas: z.exactOptional(price),
  speed: z.exactOptional(z.enum(SPEEDS, `one of ${SPEEDS.join(", ")}`)),
  valid_until: z.exactOptional(evmValidUntil),
});

/** Two ways to set a price, and a tip above the fee, are contradictions on any service (facts 5.3, rules 8 and 10). */
const evmReplacementSchema = evmShape.check(...mixedPrices, crossedPrices);

const stellarShape = z.strictObject({
  network: z.string().check(z.minLength(1, "a network name")),
  source_account: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "an account")))),
  operations: z.exactOptional(z.nullable(z.array(z.looseObject({}), "a list of operations"))),
  transaction_xdr: z.exactOptional(z.nullable(base64Schema("base64 of a transaction"))),
  memo: z.exactOptional(z.nullable(memoSchema)),
  valid_until: z.exactOptional(z.nullable(stellarValidUntil)),
  fee_bump: z.exactOptional(z.nullable(z.boolean("true or false"))),
  max_fee: z.exactOptional(z.nullable(intSchema(0n, MAX_INT64, `a whole number of stroops from 0 to ${MAX_INT64}`))),
});

type StellarBody = z.infer<typeof stellarShape>;

/** Rules that the interface shares (3.3), in the words of facts 5.7. */
const stellarReplacementSchema = stellarShape.check(
  refuseIf("transaction_xdr", "Cannot provide both operations and transaction_xdr", (body) =>
    Boolean(body.operations && body.transaction_xdr),
  ),
  refuseIf(
    "fee_bump",
    (body) => feeBumpProblem(body) ?? "",
    (body) => feeBumpProblem(body) !== undefined,
  ),
);

/** The request schemas of a replacement (interface 3). */
export const replacementSchemas: Record<NetworkKind, z.ZodMiniType<Replacement>> = {
  evm: evmReplacementSchema as unknown as z.ZodMiniType<Replacement>,
  solana: z.strictObject({ transaction: z.string().check(z.minLength(1, "an encoded transaction")) }),
  stellar: stellarReplacementSchema as unknown as z.ZodMiniType<Replacement>,
};

function feeBumpProblem({ fee_bump: wrap, operations, transaction_xdr: xdr }: StellarBody): string | undefined {
  if (!wrap) return undefined;
  if (operations) return "Cannot request fee_bump with operations mode";
  if (!xdr) return "needs a signed transaction_xdr";
  return isSignedXdr(xdr) ? undefined : "Cannot request fee_bump with unsigned XDR";
}

/** Hosts that the service always rejects in the RPC URLs of relayers and networks (facts 4.4). */
const REFUSED_HOSTS = ["metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "0.0.0.0", "[::]"];

/** The URL of a relayer's node (facts 4.4). */
const relayerUrlSchema = urlSchema((_, scheme) => `Invalid URL scheme '${scheme}': only http and https are allowed`);

/** The URL of a network's node (facts 8.2). */
const networkUrlSchema = urlSchema(
  (url) => `Invalid URL scheme for ${maskRpcUrl(url)}: Only HTTP and HTTPS are supported`,
);

type SchemeRule = (url: string, scheme: string) => string;

function urlSchema(schemeRule: SchemeRule): z.ZodMiniString {
  return z.string().check(problemSchemaCheck((url) => urlProblem(url, schemeRule)));
}

function urlProblem(url: string, schemeRule: SchemeRule): string | undefined {
  if (isMaskedRpcUrl(url)) return MASKED_URL;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https"].includes(scheme)) return schemeRule(url, scheme);
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return "an http or https URL";
  const { hostname } = new URL(url);
  return REFUSED_HOSTS.includes(hostname) ? `the service refuses the host ${hostname}` : undefined;
}

const rpcConfigSchema = z.strictObject({
  url: relayerUrlSchema,
  weight: z.exactOptional(
    intSchema(0n, BigInt(MAX_RELAYER_WEIGHT), `RPC URL weight must be in range 0-${MAX_RELAYER_WEIGHT}`),
  ),
});

/** To Zod, a number that is kept as its text would be an object. */
const anyObject = z.custom<JsonObject>(isJsonObject, "must be an object");

const SCHEMAS: Readonly<Record<SentField["form"], (field: SentField) => z.ZodMiniType>> = {
  text: ({ rule }) => z.string().check(z.minLength(1, rule ?? "cannot be empty")),
  id: () => z.string().check(problemSchemaCheck(idProblem)),
  "new id": () => z.string().check(problemSchemaCheck(newIdProblem)),
  word: ({ words = [], rule }) => z.enum([...words], rule),
  flag: () => z.boolean("true or false"),
  "rpc urls": () => z.array(rpcConfigSchema),
  policies: () => anyObject,
  "any text": () => z.string(),
  url: ({ rule }) => z.string().check(z.refine((url) => URL.canParse(url), rule)),
  seconds: ({ rule }) => intSchema(1n, MAX_U64, rule),
  object: () => anyObject,
};

/** A field's schema: required, or absent, or null, which the real service treats alike in a creation. */
type SchemaOf<S> = S extends { needed: string } | { otherwise: boolean }
  ? z.ZodMiniType<FieldValue<S>>
  : S extends { null: "accepted" | "refused" }
    ? z.ZodMiniExactOptional<z.ZodMiniNullable<z.ZodMiniType<FieldValue<S>>>>
    : z.ZodMiniExactOptional<z.ZodMiniType<FieldValue<S>>>;

type Schemas<T, Use extends "create" | "update"> = {
  [K in keyof T as T[K] extends Record<Use, SentField> ? K : never]: T[K] extends Record<Use, infer S>
    ? SchemaOf<S>
    : never;
};

function buildSchema<const T extends FieldTable, Use extends "create" | "update">(table: T, use: Use) {
  const schemas = sentFields(table, use).map(([name, field]) => [name, fieldSchema(field)] as const);
  return z.strictObject(Object.fromEntries(schemas) as Schemas<T, Use>);
}

function fieldSchema(field: NonNullable<FieldTable[string]["create" | "update"]>): z.ZodMiniType {
  const schema = SCHEMAS[field.form](field);
  if ("needed" in field || "otherwise" in field) return schema;
  const isNullable = field.null === "accepted" || field.null === "refused";
  return z.exactOptional(isNullable ? z.nullable(schema) : schema);
}

/** `policies` is validated separately, by the relayer's kind: see `policySchemas`. */
export const updateRelayerSchema = buildSchema(relayerFields, "update");

const CREATION = orderedFields(relayerFields, ["id", "name", "network", "network_type", "signer_id"]);

/** facts 3.1, with the words of its rules. `paused` is really required, and null counts as absent. */
export const createRelayerSchema = buildSchema(CREATION, "create");

export const createNotificationSchema = buildSchema(orderedFields(notificationFields, ["url"]), "create");

export const updateNotificationSchema = buildSchema(notificationFields, "update");

/** facts 8.3. Null would change nothing, and is rejected. */
export const updatePluginSchema = buildSchema(pluginFields, "update");

/** facts 8.2: only the RPC URLs can be changed, and one is required. A bare URL is validated as `{url}`. */
export const updateNetworkSchema = z.strictObject({
  rpc_urls: z
    .array(
      z.strictObject({ url: networkUrlSchema, weight: z.exactOptional(intSchema(0n, BigInt(MAX_NETWORK_WEIGHT))) }),
      "a list of RPC URLs",
    )
    .check(z.minLength(1, "rpc_urls must contain at least one RPC endpoint")),
});

/** facts 3.2: an EVM relayer signs it with the prefix of EIP-191. */
export const signMessageSchema = z.strictObject({ message: z.string() });

/** facts 3.2: the two hashes of EIP-712, 32 bytes of hex each, with or without 0x. */
export const signTypedDataSchema = z.strictObject({
  domain_separator: hashSchema("domain separator"),
  hash_struct_message: hashSchema("hash struct message"),
});

const BYTES = 32;

/** Accepts a hash, with the words of the service, which responds with 500 to a wrong length. */
function hashSchema(what: string): z.ZodMiniString {
  const problem = (text: string) => {
    const digits = text.replace(/^0x/, "");
    if (!/^[0-9a-f]*$/i.test(digits)) return "needs hex digits, with 0x or without";
    if (digits.length % 2 === 1) return "has an odd number of hex digits";
    const length = digits.length / 2;
    return length === BYTES ? undefined : `Invalid ${what} length: expected ${BYTES} bytes, got ${length}`;
  };
  return z.string().check(problemSchemaCheck(problem));
}

const unsignedXdr = z
  .string()
  .check(z.refine((xdr) => isSignedXdr(xdr) !== undefined, "base64 of a Stellar transaction envelope"));
const encoded = z
  .string()
  .check(z.refine((text) => (base64Bytes(text)?.length ?? 0) > 0, "base64 of a serialized Solana transaction"));

/** facts 3.2: Stellar's body or Solana's. */
export const signTransactionSchema = z
  .strictObject({ unsigned_xdr: z.exactOptional(unsignedXdr), transaction: z.exactOptional(encoded) })
  .check(
    z.refine((body) => body.unsigned_xdr !== undefined || body.transaction !== undefined, {
      path: ["unsigned_xdr"],
      error: "is required for Stellar, or --transaction for Solana",
    }),
    z.refine((body) => body.unsigned_xdr === undefined || body.transaction === undefined, {
      path: ["transaction"],
      error: "cannot be combined with unsigned_xdr",
    }),
  );

const someText = z.string().check(z.minLength(1, "cannot be empty"));

/** facts 8.1. An error about a secret never contains any part of it. */
const RULES: Record<NonNullable<SignerField["rule"]>, z.ZodMiniType> = {
  "hex key": z.string().check(problemSchemaCheck(keyProblem)),
  url: z.string().check(z.refine((url) => URL.canParse(url), "an absolute URL")),
  base64: base64Schema("is not base64"),
  "account address": z.string().check(problemSchemaCheck(accountProblem)),
  u32: intSchema(0n, MAX_U32),
  "google domain": z.string().check(z.refine(isKmsDomain, "must be googleapis.com")),
  "any text": z.string(),
};

const azureSchema = configSchema(signerFields.azure_key_vault).check(
  z.superRefine((config, { addIssue }) => {
    const { auth_type: by, ...given } = config as JsonObject;
    for (const name of AZURE_NEEDS[String(by ?? "client_secret")] ?? [])
      if ((given[name] ?? "") === "")
        addIssue({ code: "custom", path: [name], message: `is required to sign in with ${by ?? "client_secret"}` });
  }),
);

export const createSignerSchemas = Object.fromEntries(
  SIGNER_TYPES.map((type) => [type, creationSchema(type)]),
) as Record<SignerType, z.ZodMiniType>;

function creationSchema(type: SignerType): z.ZodMiniType {
  return z.strictObject({
    id: z.exactOptional(z.string().check(problemSchemaCheck(newIdProblem))),
    type: z.literal(type),
    config: type === "azure_key_vault" ? azureSchema : configSchema(signerFields[type]),
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

/** The service uses no other host of Google. */
function isKmsDomain(domain: string): boolean {
  const url = domain.startsWith("http") ? domain : `https://cloudkms.${domain}`;
  return URL.canParse(url) && new URL(url).hostname === "cloudkms.googleapis.com";
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
export function requestFieldProblem(field: SignerField, text: string): string | undefined {
  return schemaOfField(field).safeParse(text).error?.issues[0]?.message;
}
