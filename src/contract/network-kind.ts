import type { BaseUnit } from "./amount.ts";

/** The three kinds of network, and so of policy and transaction (interface.md, Relayer). */
export const NETWORK_KINDS = ["evm", "solana", "stellar"] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

export function isNetworkKind(value: unknown): value is NetworkKind {
  return NETWORK_KINDS.some((kind) => kind === value);
}

export const BASE_UNIT: Record<NetworkKind, BaseUnit> = { evm: "wei", solana: "lamport", stellar: "stroop" };

export function isBaseUnit(value: unknown): value is BaseUnit {
  return Object.values(BASE_UNIT).some((unit) => unit === value);
}
