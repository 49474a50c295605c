import { addressProblem, hexBytesProblem } from "../address.ts";
import { MAX_INT64, MAX_U64, MAX_U128, MAX_U256 } from "../amount.ts";
import { isJsonInteger, type JsonInteger, type JsonObject } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";
import { gasLimitProblem } from "../transaction/intrinsic-gas.ts";
import { SPEEDS } from "../transaction/replacement-price.ts";
import {
  evmValidUntil,
  intSchema,
  optionalSchema,
  problemSchemaCheck,
  refuseIf,
  stellarValidUntil,
} from "./schema-parts.ts";
import { solanaTransactionSchema, solanaTransactionShape } from "./transaction/solana.ts";
import {
  isSignedXdr,
  stellarAddressField,
  transactionMemoSchema,
  validXdr,
  xdrText,
} from "./transaction/stellar/fields.ts";
import { operationsRules, operationsSchema } from "./transaction/stellar/operations.ts";
import * as z from "./zod.ts";

/** The fields that set a price; a body may use one way (facts 5.3). */
interface Prices {
  gas_price?: JsonInteger | null;
  max_fee_per_gas?: JsonInteger | null;
  max_priority_fee_per_gas?: JsonInteger | null;
  speed?: string | null;
}

const MIXED = "Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";

/** facts 5.3, rule 8, reported at the speed if there is one. */
export const mixedPrices = [
  refuseIf<Prices>("speed", MIXED, (body) => isGiven(body.speed) && countPricingModes(body) > 1),
  refuseIf<Prices>("gas_price", MIXED, (body) => !isGiven(body.speed) && countPricingModes(body) > 1),
];

/** facts 5.3, rule 10. */
export const crossedPrices = refuseIf<Prices>(
  "max_priority_fee_per_gas",
  "maxFeePerGas must be greater than or equal to maxPriorityFeePerGas",
  ({ max_fee_per_gas: fee, max_priority_fee_per_gas: tip }) => BigInt(fee ?? MAX_U128) < BigInt(tip ?? 0),
);

function countPricingModes(body: Prices): number {
  const type2 = isGiven(body.max_fee_per_gas) || isGiven(body.max_priority_fee_per_gas);
  return [isGiven(body.gas_price), isGiven(body.speed), type2].filter(Boolean).length;
}

function isGiven(field: unknown): boolean {
  return (field ?? null) !== null;
}

/** Only the fields, without the rules across them. */
const stellarTransactionShape = z.strictObject({
  network: z.string().check(z.minLength(1, "a network name")),
  source_account: optionalSchema(stellarAddressField("G", "M")),
  operations: optionalSchema(operationsSchema),
  transaction_xdr: optionalSchema(xdrText),
  memo: optionalSchema(transactionMemoSchema),
  valid_until: optionalSchema(stellarValidUntil),
  fee_bump: optionalSchema(z.boolean("true or false")),
  max_fee: optionalSchema(intSchema(0n, MAX_INT64, `a whole number of stroops from 0 to ${MAX_INT64}`)),
  signed_auth_entry: optionalSchema(z.string().check(z.minLength(1, "the signed entry, in base64"))),
});

type Body = z.infer<typeof stellarTransactionShape>;

/** The first checks of facts 5.7, in the service's words and order. An empty list counts as absent. */
const fieldRules = [
  refuseIf<Body>(
    "transaction_xdr",
    "Cannot provide both operations and transaction_xdr",
    (body) => hasOperations(body) && Boolean(body.transaction_xdr),
  ),
  refuseIf<Body>(
    "operations",
    "Must provide either operations or transaction_xdr",
    (body) => !hasOperations(body) && !body.transaction_xdr,
  ),
  refuseIf<Body>(
    "fee_bump",
    "Cannot request fee_bump with operations mode",
    (body) => body.fee_bump === true && hasOperations(body),
  ),
  refuseIf<Body>(
    "signed_auth_entry",
    "signed_auth_entry requires transaction_xdr to be provided",
    (body) => Boolean(body.signed_auth_entry) && !body.transaction_xdr,
  ),
  refuseIf<Body>(
    "signed_auth_entry",
    "Cannot use both signed_auth_entry and fee_bump",
    (body) => Boolean(body.signed_auth_entry) && body.fee_bump === true,
  ),
];

const envelopeRules = [
  validXdr,
  refuseIf<Body>(
    "fee_bump",
    "Cannot request fee_bump with unsigned XDR",
    (body) => body.fee_bump === true && isSigned(body) === false,
  ),
  refuseIf<Body>(
    "transaction_xdr",
    "Expected unsigned XDR but received signed XDR",
    (body) => body.fee_bump !== true && !body.signed_auth_entry && isSigned(body) === true,
  ),
];

const stellarTransactionSchema = stellarTransactionShape.check(...fieldRules, ...envelopeRules, ...operationsRules);

/** Only the rules across fields, in stages, for a body whose fields are already validated. */
const stellarTransactionStages = [fieldRules, envelopeRules, operationsRules].map((rules) =>
  z.custom<Body>().check(...(rules as typeof fieldRules)),
);

function hasOperations({ operations }: Body): boolean {
  return (operations?.length ?? 0) > 0;
}

function isSigned({ transaction_xdr: xdr }: Body): boolean | undefined {
  return typeof xdr === "string" ? isSignedXdr(xdr) : undefined;
}

const value = z.custom<string | number | bigint>(isValue, "a whole number of wei from 0 to 2^256-1");

/** Returns whether a value is valid. A larger number, which the service reads as a float, is a text (facts 5.3). */
function isValue(given: unknown): boolean {
  if (isJsonInteger(given)) return BigInt(given) >= 0n && BigInt(given) <= MAX_U64;
  return typeof given === "string" && /^(?:[0-9]+|0x[0-9a-f]+)$/i.test(given) && BigInt(given) <= MAX_U256;
}

/** facts 5.3: an integer without quotes, of at most 64 bits. */
const price = optionalSchema(intSchema(0n, MAX_U64, `a whole number of wei from 0 to ${MAX_U64}`));

/** Only the fields, without the rules across them. */
const evmTransactionShape = z.strictObject({
  value,
  to: optionalSchema(z.string().check(problemSchemaCheck(addressProblem))),
  data: optionalSchema(z.string().check(problemSchemaCheck(hexBytesProblem))),
  gas_limit: optionalSchema(intSchema(0n, MAX_U64)),
  gas_price: price,
  max_fee_per_gas: price,
  max_priority_fee_per_gas: price,
  speed: optionalSchema(z.enum(SPEEDS, `one of ${SPEEDS.join(", ")}`)),
  valid_until: optionalSchema(evmValidUntil),
});

type EvmBody = z.infer<typeof evmTransactionShape>;

/** facts 5.3, rules 3, 5, and 7 to 10, with the service's messages and order. */
const evmRules = [
  refuseIf<EvmBody>(
    "to",
    "Both txs `to` and `data` fields are missing. At least one of them has to be set.",
    (body) => !isGiven(body.to) && !isGiven(body.data),
  ),
  refuseIf<EvmBody>(
    "gas_limit",
    (body) => gasLimitProblem(body) ?? "",
    (body) => gasLimitProblem(body) !== undefined,
  ),
  refuseIf<EvmBody>(
    "speed",
    "Transaction must specify either gasPrice, speed, or EIP1559 parameters",
    (body) => countPricingModes(body) === 0,
  ),
  ...mixedPrices,
  refuseIf<EvmBody>(
    "max_fee_per_gas",
    "EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas",
    (body) => isGiven(body.max_fee_per_gas) !== isGiven(body.max_priority_fee_per_gas),
  ),
  crossedPrices,
];

type Schema = z.ZodMiniType<JsonObject>;

/** Strict where the service drops unknown fields (facts 5.3, 5.7, 5.8); `relayerRules` depend on the relayer. */
export const transactionSchemas: Record<NetworkKind, Schema> = {
  evm: evmTransactionShape.check(...evmRules) as unknown as Schema,
  solana: solanaTransactionSchema as unknown as Schema,
  stellar: stellarTransactionSchema as unknown as Schema,
};

export const transactionShapes: Record<NetworkKind, Schema> = {
  evm: evmTransactionShape as unknown as Schema,
  solana: solanaTransactionShape as unknown as Schema,
  stellar: stellarTransactionShape as unknown as Schema,
};

export const transferShape = z.pick(evmTransactionShape, { to: true, value: true }) as unknown as Schema;

/** Only the rules across fields, for a body whose fields are already validated. */
export const evmStage = z.custom<EvmBody>().check(...evmRules) as unknown as Schema;

/** The service's rules for a parsed Stellar transaction, stage by stage (facts 5.7). */
export const stellarStages = stellarTransactionStages as unknown as readonly Schema[];
