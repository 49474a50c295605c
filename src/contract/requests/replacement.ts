import type * as z from "zod/mini";
import type { NetworkKind } from "../network-kind.ts";
import type { Replacement } from "../transaction/replacement.ts";
import { evmReplacementSchema } from "./replacement/evm.ts";
import { solanaReplacementSchema } from "./replacement/solana.ts";
import { stellarReplacementSchema } from "./replacement/stellar.ts";

export const replacementSchemas: Record<NetworkKind, z.ZodMiniType<Replacement>> = {
  evm: evmReplacementSchema as unknown as z.ZodMiniType<Replacement>,
  solana: solanaReplacementSchema,
  stellar: stellarReplacementSchema as unknown as z.ZodMiniType<Replacement>,
};
