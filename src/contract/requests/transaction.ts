import type { JsonObject } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";
import { evmTransactionSchema, evmTransactionShape, evmTransferShape } from "./transaction/evm.ts";
import { solanaTransactionSchema, solanaTransactionShape } from "./transaction/solana.ts";
import { stellarTransactionSchema, stellarTransactionShape, stellarTransactionStages } from "./transaction/stellar.ts";
import type * as z from "./zod.ts";

type Schema = z.ZodMiniType<JsonObject>;

/**
 * The request schemas of a new transaction (facts 5.3, 5.7, 5.8), strict where the service silently drops unknown
 * fields. The rules that depend on the relayer are in `relayerRules`.
 */
export const transactionSchemas: Record<NetworkKind, Schema> = {
  evm: evmTransactionSchema as unknown as Schema,
  solana: solanaTransactionSchema as unknown as Schema,
  stellar: stellarTransactionSchema as unknown as Schema,
};

/** The same schemas without the rules across fields. */
export const transactionShapes: Record<NetworkKind, Schema> = {
  evm: evmTransactionShape as unknown as Schema,
  solana: solanaTransactionShape as unknown as Schema,
  stellar: stellarTransactionShape as unknown as Schema,
};

/** The rules for the receiver and the amount of an EVM transaction. */
export const transferShape = evmTransferShape as unknown as Schema;

/** The service's rules for a parsed Stellar transaction, stage by stage (facts 5.7). */
export const stellarStages = stellarTransactionStages as unknown as readonly Schema[];
