/** The three kinds of network, and so of policy and transaction (interface 2.1). */
export const NETWORK_KINDS = ["evm", "solana", "stellar"] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

export function isNetworkKind(value: unknown): value is NetworkKind {
  return NETWORK_KINDS.some((kind) => kind === value);
}
