/** How a real service is reached. */
export interface NetworkOptions {
  /** Scheme, host and port, without a path: `https://relayer.example.org`. */
  origin: string;
  /** PEM certificates to trust besides the usual ones. */
  caCertificates: readonly string[];
  /** A proxy to go through; absent for a direct connection. User-info in it is used and never shown. */
  proxy?: string;
  /** Awaited before the pool for many requests at once is loaded. */
  beforePool?: () => void;
}
