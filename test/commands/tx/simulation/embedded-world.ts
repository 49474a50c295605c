import { openzeppelinDialect } from "../../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer } from "../../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../../src/embedded-server/state/store.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { seedState } from "../../../helpers/seed-state.ts";
import { TOKEN } from "../../../helpers/test-app.ts";

/** The embedded server, with nodes that lack some methods. */
export function worldWithout(codes: Record<string, number> = {}, isReal = false) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  let ids = 0;
  const random = { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
  const store = memoryStore(seedState("demo"));
  const failures = Object.entries(codes).map(([path, status]) => ({ method: "NODE", path, status, rate: 1 }));
  const dialect = isReal ? { dialect: openzeppelinDialect(random) } : {};
  return {
    clock,
    interrupt,
    service: createEmbeddedServer({ token: TOKEN, store, clock, random, failures, ...dialect }),
  };
}
