import type { KnownKeys } from "../contract/reply/list-reply.ts";
import type { Secrets } from "../contract/secret-fields.ts";
import type { Credentials, WireReply, WireRequest } from "../contract/wire.ts";
import type { Throttle } from "./attempt/throttle.ts";
import type { Clock, Random } from "./clock.ts";
import type { Transport } from "./transport/transport.ts";
import type { WriteLog } from "./write-log.ts";

export interface ClientContext extends Credentials {
  transport: Transport;
  /** Secrets that no error, finding, or row may quote. */
  secrets?: Pick<Secrets, "add" | "masked" | "learn" | "redact">;
  showsUrls?: boolean;
  /** Reads the token when it is needed. `token` is empty then, because the service may not require one. */
  readToken?: () => Promise<string>;
  /** Returns current credentials in place of expired ones; absent if none expire. */
  renewed?: () => Promise<Partial<Credentials>>;
  clock: Clock;
  random: Random;
  throttle: Throttle;
  /** The keys of earlier lists by the ID of their operation, which make reading further ones faster. */
  knownKeys: Map<string, KnownKeys>;
  /** The latest `Date` of the responses so far, in milliseconds since 1970. */
  latest: { date: number };
  /** Returns an ID for a JSON-RPC request, unique in this process. */
  nextRpcId(): number;
  timeout: number;
  /** Extra attempts after failures that certainly changed nothing. */
  retries: number;
  /** Whether a 404 of one instance of the service is read again (default: with extra attempts). */
  isPatient?: boolean;
  /** Absent without a limit. */
  remaining?: () => number;
  /** Set for many requests: writes share pooled connections (a single write gets its own), and a 429 is waited out. */
  inBulk?: true;
  /** Shared ends for many writes; otherwise, each write has a separate end. */
  ends?: AttemptEnds;
  /** Returns V8's heap limit in bytes. Slow: only call it when the limit matters. */
  heapLimit(): number;
  /** Where read-only mode is set, which refuses every request that does more than ask. */
  readOnly?: string | undefined;
  /** Where approvers are set, who have to sign everything that moves money or loosens a limit. */
  approvers?: { place: string } | undefined;
  /** The first Ctrl-C: ends waits and reads. */
  interrupt: AbortSignal;
  /** The second Ctrl-C: ends a write that awaits its response, with an unknown outcome. */
  abandon: AbortSignal;
  log?: WriteLog;
  /** Receives the messages of each attempt, for `--verbose`. They contain the credentials. */
  trace?: Trace;
  /** For progress and `--verbose`. */
  report(event: ClientEvent): void;
}

export interface Trace {
  sent(request: WireRequest): void;
  received(response: WireReply): void;
  /** Masks members of resources from now on, in any message. */
  hide(resources: Iterable<HiddenMembers>): void;
}

/** Dotted paths of members that are never shown. */
export interface HiddenMembers {
  id: string;
  hidden: Iterable<string>;
}

export type ClientEvent =
  | { type: "attempt"; method: string; target: string; writes: boolean; attempt: number; of: number }
  | { type: "reply"; status: number; bytes: number; milliseconds: number }
  | { type: "no_reply"; why: string }
  | { type: "retry"; why: string; wait: number; attempt: number; of: number }
  | { type: "respelled"; words: string }
  | { type: "note"; text: string }
  /** A write was applied, with the ID of its result or target. */
  | { type: "accepted"; id: string; method: string; path: string; status: number }
  | { type: "page"; page: number; of: number | undefined };

export interface AttemptEnd {
  /** Its abort reason is a `TransportCause`. */
  readonly signal: AbortSignal;
  /** Lets an interrupt end the attempt at once while nothing was sent, until the returned function is called. */
  untilSent(): () => void;
  over(): void;
}

export interface AttemptEnds {
  take(clientContext: ClientContext): AttemptEnd;
}
