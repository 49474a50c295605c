import type { WireRequest } from "../contract/wire.ts";
import type { BareReply, Memo, SuccessReply } from "./reply.ts";
import type { ServerStore } from "./state/store.ts";
import type { ServerRandom } from "./world.ts";

export interface HandlerCall {
  request: WireRequest;
  ids: readonly string[];
  query: URLSearchParams;
  store: ServerStore;
  random: ServerRandom;
  memo: Memo;
  /** The time of arrival, in milliseconds since 1970. */
  now: number;
}

/** Runs an operation, after checking everything. @throws Refusal */
export type Handler = (call: HandlerCall) => Promise<SuccessReply | BareReply>;
