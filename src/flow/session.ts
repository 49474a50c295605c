import type { Client } from "../client/client.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** A service that is ready to be asked. */
export interface Session extends Stopwatch {
  client: Client;
  /** The same service for many writes at a time, over connections that are used again. */
  inBulk(): Client;
  /** The context's name, `demo`, or the origin when the server came without a context: what receipts name. */
  name: string;
  /** `["-c", "prod"]`, `["--demo"]` or nothing: what a hint must repeat to reach the same service. */
  flags: readonly string[];
  origin: string;
  /** Whether every write must be confirmed by name. */
  protected: boolean;
}
