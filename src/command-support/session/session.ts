import type { Client } from "../../client/client.ts";
import type { ClientContext } from "../../client/client-context.ts";
import type { Pasteable } from "../shell/pasteable.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** What a call may send. A request that is only shown sends nothing, and with `--diff` it reads. */
export type Reach = "all" | "reads" | "nothing";

/** A service that is ready to be asked. */
export interface Session extends Stopwatch {
  client: Client;
  /**
   * The same service for many requests at a time, which wait together when it refuses by rate; writes go over connections
   * that are used again.
   * @param bounds in place of those that were chosen for all requests
   */
  inBulk(bounds?: Partial<Pick<ClientContext, "retries" | "remaining" | "throttle" | "ends">>): Client;
  /** The same service for a read that the result does not hang on: asked once, for so many milliseconds at most. */
  briefly(limit: number): Client;
  /** What this call may send. */
  reach: Reach;
  /** The context's name, `demo`, or the origin when the server came without a context: what receipts name. */
  name: string;
  /** `["-c", "prod"]`, `["--demo"]` or nothing: what a hint must repeat to reach the same service. */
  flags: readonly string[];
  /** The command with these arguments that reaches the same service, exactly and for the user's shell, or why there is none. */
  pasteable(argv: readonly string[]): Pasteable;
  origin: string;
  /** Whether anything about the service may be kept between runs: never where server and token come from the environment. */
  keeps: boolean;
  /** The symbols of networks' coins that were looked up, by network. */
  coins: Map<string, Promise<string | undefined>>;
  /** Whether every write must be confirmed by name. */
  protected: boolean;
}
