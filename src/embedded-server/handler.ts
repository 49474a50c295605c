import type { WireRequest } from "../contract/wire.ts";
import type { BareReply, SuccessReply } from "./reply.ts";
import type { DemoStore } from "./state/store.ts";
import type { DemoRandom } from "./world.ts";

/** A request that is let in and has a route. */
export interface DemoCall {
  request: WireRequest;
  /** The parameters of the path, decoded, in their order. */
  ids: readonly string[];
  query: URLSearchParams;
  store: DemoStore;
  random: DemoRandom;
  /** When it came, in milliseconds since 1970. */
  now: number;
}

/**
 * What one operation does. It looks at everything before it changes anything.
 * @throws Refusal
 */
export type Handler = (call: DemoCall) => Promise<SuccessReply | BareReply>;
