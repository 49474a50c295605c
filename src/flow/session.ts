import type { Client } from "../client/client.ts";

/** A service that is ready to be asked. */
export interface Session {
  client: Client;
  /** The context's name, `demo`, or the origin when the server came without a context: what receipts name. */
  name: string;
  /** `["-c", "prod"]`, `["--demo"]` or nothing: what a hint must repeat to reach the same service. */
  flags: readonly string[];
  origin: string;
  /** Whether every write must be confirmed by name. */
  protected: boolean;
  /** Waits for a person without counting the time against `--deadline`. */
  pausing<T>(waiting: Promise<T>): Promise<T>;
}
