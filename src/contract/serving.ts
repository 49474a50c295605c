import type { PlayedIncident } from "./incident.ts";
import type { JsonRpcNode } from "./json-rpc.ts";

/** The default of `serve --max-value`, for one transaction. */
export const USUAL_LIMIT = "1eth";

export interface ServeOptions {
  port: number;
  /** The user's, or a random one. */
  token: string;
  seed: string;
  latency: number;
  /** How many times as fast as usual the time of transactions, health checks, and webhooks passes (default: 1). */
  speed?: number;
  rateLimit?: RateLimit;
  failures: readonly InjectedFailure[];
  /** Whether the prices of gas rise and fall over time (default: steady). */
  prices?: "steady" | "changing";
  /** Milliseconds after which final records are deleted (default: never). */
  expireAfter?: number;
  /** Whether the embedded server follows the interface or the real service. */
  dialect: "interface" | "openzeppelin";
  /** In place of the seed: an incident, until it is over or `stop` is aborted. */
  incident?: PlayedIncident;
  listening(port: number): Promise<void>;
  served(line: ServedLine): Promise<void>;
  /** Called after each attempt to deliver a webhook. */
  delivered(line: DeliveryLine): Promise<void>;
}

export interface RateLimit {
  perSecond: number;
  /** The most requests at once after an idle period. */
  burst: number;
}

/** `--fail METHOD:PATH-GLOB=STATUS[:RATE]`, `--fail WORKER:NAME=dead`, or `--fail NODE:METHOD=CODE[:RATE]` */
export interface InjectedFailure {
  /** In uppercase, or `*` for every method. `WORKER` and `NODE` aren't requests (worker/faults.ts). */
  method: string;
  /** Without its query; `*` matches anything, including slashes. A worker or a method of a node. */
  path: string;
  /**
   * A status up to 599, or `busy` (too many requests at once), `close` (the connection closes without a response), or
   * `refuse` (200 with a failure); `lost` or `late` for a request that is applied without a response, at once or 10
   * seconds later (facts 1.4, 1.9, and 3.10). `dead` or `two-nonces` for a worker; a code, or `lost` for a lost
   * response, of a node.
   */
  status: number | "busy" | "close" | "refuse" | "lost" | "late" | "dead" | "two-nonces";
  /** The share of requests that fail, from 0 to 1. */
  rate: number;
  /** Set to fail only one matching request: the first, the second, and so on. */
  only?: number;
}

export interface ServedLine {
  method: string;
  target: string;
  status: number;
  milliseconds: number;
}

export interface DeliveryLine {
  notification: string;
  event: string;
  attempt: number;
  /** Absent if no response arrived. */
  status?: number;
}

export interface ChainToServe {
  node: JsonRpcNode;
  url: string;
  /** For 32 bytes in hex with `0x` (default: a key for this run). */
  keyFile?: { load(): Promise<`0x${string}` | undefined>; save(key: `0x${string}`): Promise<void> };
  /** The most wei that one transaction may send. */
  maxValue: bigint;
  /** Called with the relayer's address and the ID of the chain before the server listens. */
  opened(found: { address: string; chainId: number }): Promise<void>;
}
