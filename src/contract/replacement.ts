import type * as z from "zod/mini";
import type { NetworkKind } from "./network-kind.ts";
import { type EvmReplacement, evmReplacementSchema } from "./replacement/evm.ts";
import { type SolanaReplacement, solanaReplacementSchema } from "./replacement/solana.ts";
import { type StellarReplacement, stellarReplacementSchema } from "./replacement/stellar.ts";

export type { EvmReplacement } from "./replacement/evm.ts";
export { SPEEDS } from "./replacement/evm.ts";
export type { Memo } from "./replacement/memo.ts";
export type { SolanaReplacement } from "./replacement/solana.ts";
export type { StellarReplacement } from "./replacement/stellar.ts";

/** The body of a replacement; which kind it is follows from its members, see `TELLING_MEMBER`. */
export type Replacement = EvmReplacement | SolanaReplacement | StellarReplacement;

export const replacementSchemas: Record<NetworkKind, z.ZodMiniType<Replacement>> = {
  evm: evmReplacementSchema as unknown as z.ZodMiniType<Replacement>,
  solana: solanaReplacementSchema,
  stellar: stellarReplacementSchema as unknown as z.ZodMiniType<Replacement>,
};

/** The member that a replacement of each kind must have, and that no other kind has (interface.md). */
export const TELLING_MEMBER: Record<NetworkKind, string> = { evm: "value", solana: "transaction", stellar: "network" };
