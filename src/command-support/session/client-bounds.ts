import type { App } from "../../app.ts";
import { createThrottle } from "../../client/attempt/throttle.ts";
import type { ClientContext } from "../../client/client-context.ts";
import type { Settings } from "../../config/settings.ts";
import { createKnownItems } from "../../contract/reply/list-reply.ts";

type ClientBounds = Pick<
  ClientContext,
  "clock" | "random" | "throttle" | "knownItems" | "timeout" | "retries" | "heapLimit" | "interrupt" | "abandon"
>;

/** Returns the clock, random source, limits, and signals of every client context, whatever its target. */
export function clientBounds(app: App, { timeout, retries }: Settings): ClientBounds {
  const { clock, random, heapLimit, interrupt, abandon } = app;
  const own = { timeout: timeout.value, retries: retries.value };
  return {
    clock,
    random,
    throttle: createThrottle(clock),
    knownItems: createKnownItems(),
    heapLimit,
    interrupt,
    abandon,
    ...own,
  };
}
