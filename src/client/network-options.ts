/** How a real service is reached. */
export interface NetworkOptions {
  /** Scheme, host and port, without a path: `https://relayer.example.org`. */
  origin: string;
  /** PEM certificates to trust besides the usual ones. */
  caCertificates: readonly string[];
  /** A proxy to go through; absent for a direct connection. User-info in it is used and never shown. */
  proxy?: string;
  /** How a host name becomes addresses; by Node itself unless given. */
  findAddresses?: FindAddresses;
  /** Awaited before the pool for many requests at once is loaded. */
  beforePool?: () => void;
}

/**
 * Finds the addresses of a host name, in the order in which to try them. Rejects with an error whose `code` is `ENOTFOUND` when there
 * are none. The signal ends the lookup.
 */
export type FindAddresses = (name: string, signal: AbortSignal) => Promise<readonly string[]>;
