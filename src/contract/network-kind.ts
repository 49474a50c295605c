/** The three kinds of network, and so of policy and transaction (interface 2.1). */
export const NETWORK_KINDS = ["evm", "solana", "stellar"] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

/** Returns the kind of network whose rules count for a relayer; an unread relayer may be of EVM. */
export function networkKind(relayer: { network_type?: unknown } | undefined): NetworkKind {
  return isNetworkKind(relayer?.network_type) ? relayer.network_type : "evm";
}

export function isNetworkKind(value: unknown): value is NetworkKind {
  return NETWORK_KINDS.some((kind) => kind === value);
}
