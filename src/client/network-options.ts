/** Options for connecting to a real service. */
export interface NetworkOptions {
  /** Scheme, host, and port, without a path: `https://relayer.example.org`. */
  origin: string;
  /** PEM certificates to trust in addition to the usual ones. */
  caCertificates: readonly string[];
  /** The proxy URL; absent for a direct connection. Credentials in it are used and never shown. */
  proxy?: string;
  /** Resolves a host name (default: Node's resolver). */
  findAddresses?: FindAddresses;
  /** Awaited before the pool for many requests at once is loaded. */
  beforePool?: () => void;
}

/**
 * Resolves a host name to addresses, in the order in which to try them. Rejects with an error whose `code` is
 * `ENOTFOUND` if there are none. The signal ends the lookup.
 */
export type FindAddresses = (name: string, signal: AbortSignal) => Promise<readonly string[]>;
