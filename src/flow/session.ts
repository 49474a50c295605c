import type { Client } from "../client/client.ts";
import type { Link } from "../client/link.ts";
import type { Pasteable } from "./shell/pasteable.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** A service that is ready to be asked. */
export interface Session extends Stopwatch {
  client: Client;
  /**
   * The same service for many requests at a time, which wait together when it refuses by rate; writes go over connections
   * that are used again.
   * @param bounds in place of those that were chosen for all requests
   */
  inBulk(bounds?: Partial<Pick<Link, "retries" | "remaining" | "pace" | "ends">>): Client;
  /** The context's name, `demo`, or the origin when the server came without a context: what receipts name. */
  name: string;
  /** `["-c", "prod"]`, `["--demo"]` or nothing: what a hint must repeat to reach the same service. */
  flags: readonly string[];
  /** The command with these arguments that reaches the same service, exactly and for the user's shell, or why there is none. */
  pasteable(argv: readonly string[]): Pasteable;
  origin: string;
  /** Whether every write must be confirmed by name. */
  protected: boolean;
}
