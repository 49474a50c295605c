import type { Throttle } from "./attempt/throttle.ts";
import type { Clock, Random } from "./clock.ts";
import type { Transport } from "./transport/transport.ts";

/** What a client needs to ask a service: a way there, a token, time and bounds. */
export interface ClientContext {
  transport: Transport;
  /** Given when the first request is built; never part of an error. */
  token: string;
  /** Reads the token once it is needed, where `token` is empty because the service may ask for none. */
  readToken?: () => Promise<string>;
  clock: Clock;
  random: Random;
  /** When requests may leave. */
  throttle: Throttle;
  /** Milliseconds for one attempt. */
  timeout: number;
  /** Extra attempts after failures that are known not to have changed anything. */
  retries: number;
  /** How much of the time for the whole command is left; absent where there is no limit. */
  remaining?: () => number;
  /** One of many at a time: a write goes over connections that are used again (a single one gets its own), and a 429 is waited out. */
  inBulk?: true;
  /** What ends the writes of many; each has its own end where it is absent. */
  ends?: AttemptEnds;
  /** The bytes that V8 allows its heap. Finding out takes time: asked for when it matters. */
  heapLimit(): number;
  /** Ends waits and reads: the first Ctrl-C. */
  interrupt: AbortSignal;
  /** Ends a write whose answer is awaited, which then is unknown: the second Ctrl-C. */
  abandon: AbortSignal;
  /** Told what happens, for progress and `--verbose`. */
  report(event: ClientEvent): void;
}

export type ClientEvent =
  | { type: "attempt"; method: string; target: string; writes: boolean; attempt: number; of: number }
  | { type: "reply"; status: number; bytes: number; milliseconds: number }
  | { type: "no_reply"; why: string }
  | { type: "retry"; why: string; wait: number; attempt: number; of: number }
  | { type: "respelled"; words: string }
  | { type: "note"; text: string }
  | { type: "page"; page: number; of: number | undefined };

/** What ends an attempt from outside: its time, or a person who leaves. */
export interface AttemptEnd {
  /** Its abort reason is a `TransportCause`. */
  readonly signal: AbortSignal;
  /** While nothing was sent an interrupt ends the attempt at once: until the returned function is called. */
  untilSent(): () => void;
  /** The attempt came to its own end. */
  over(): void;
}

/** Where the ends of attempts come from that are made one after the other. */
export interface AttemptEnds {
  take(clientContext: ClientContext): AttemptEnd;
}
