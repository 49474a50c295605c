import type { KnownKeys } from "../contract/reply/list-reply.ts";
import type { Secrets } from "../contract/secret-fields.ts";
import type { Credentials, WireReply, WireRequest } from "../contract/wire.ts";
import type { Throttle } from "./attempt/throttle.ts";
import type { Clock, Random } from "./clock.ts";
import type { Transport } from "./transport/transport.ts";
import type { WriteLog } from "./write-log.ts";

/** What a client needs to send requests: a transport, credentials, a clock, and limits. */
export interface ClientContext extends Credentials {
  transport: Transport;
  /** What no error, finding, or row may quote, with the secrets of every request: a refusal that does is masked where it enters. */
  secrets?: Pick<Secrets, "add" | "masked" | "learn" | "redact">;
  showsUrls?: boolean;
  /** Reads the token when it is needed. `token` is empty then, because the service may not require one. */
  readToken?: () => Promise<string>;
  /** Returns what has not expired, in place of what expires; absent if nothing does. */
  renewed?: () => Promise<Partial<Credentials>>;
  clock: Clock;
  random: Random;
  throttle: Throttle;
  /** The keys of earlier lists by the ID of their operation, which make reading further ones faster. */
  knownKeys: Map<string, KnownKeys>;
  /** Returns an ID for a JSON-RPC request that no other request of this process has. */
  nextRpcId(): number;
  /** Milliseconds for one attempt. */
  timeout: number;
  /** Extra attempts after failures that are known not to have changed anything. */
  retries: number;
  /** Whether what one instance of the service does not find is read again (default: if there are extra attempts). */
  isPatient?: boolean;
  /** Returns the milliseconds left for the whole command; absent if there is no limit. */
  remaining?: () => number;
  /** Set for many requests: writes share pooled connections (a single write gets its own), and a 429 is waited out. */
  inBulk?: true;
  /** Shared ends for many writes; without them, each write has a separate end. */
  ends?: AttemptEnds;
  /** Returns V8's heap limit in bytes. The call is slow, so call it only when the limit matters. */
  heapLimit(): number;
  /** Where read-only mode is set, which refuses every request that does more than ask; undefined if it is off. */
  readOnly?: string | undefined;
  /** Where approvers are set, without whose signatures nothing is sent that moves money or loosens a limit. */
  approvers?: { place: string } | undefined;
  /** Ends waits and reads: the first Ctrl-C. */
  interrupt: AbortSignal;
  /** Ends a write that awaits its response, with an unknown outcome: the second Ctrl-C. */
  abandon: AbortSignal;
  log?: WriteLog;
  /** Is given the messages of each attempt, for `--verbose`. They contain the credentials. */
  trace?: Trace;
  /** Called on every event, for progress and `--verbose`. */
  report(event: ClientEvent): void;
}

export interface Trace {
  sent(request: WireRequest): void;
  received(response: WireReply): void;
  /** Masks members of resources from now on, in whatever message they are. */
  hide(resources: Iterable<HiddenMembers>): void;
}

/** The dotted paths of the members of a resource that nothing shows. */
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
  /** A write was applied, with the ID of its result or target, if there is one. */
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
