import type { Transport } from "../../../src/client/transport/transport.ts";
import { manualClock } from "../manual-clock.ts";
import { testServer } from "./test-server.ts";

/** Creates a service with the demo fleet that behaves as the real one. @param now the time of its clock */
export function realService(now?: number): Transport {
  return testServer({ clock: manualClock(now), isReal: true });
}
