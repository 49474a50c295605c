import { manualClock } from "../../../helpers/manual-clock.ts";
import { testServer } from "../../../helpers/service/test-server.ts";

/** The embedded server, with nodes that lack some methods. */
export function worldWithout(codes: Record<string, number> = {}, isReal = false) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const failures = Object.entries(codes).map(([path, status]) => ({ method: "NODE", path, status, rate: 1 }));
  return { clock, interrupt, service: testServer({ clock, failures, isReal }) };
}
