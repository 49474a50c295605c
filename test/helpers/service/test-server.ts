import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer, type EmbeddedServerOptions } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { manualClock } from "../manual-clock.ts";
import { seedState } from "../seed-state.ts";
import { TOKEN } from "../test-app.ts";

/** The embedded server as a function, which may behave as the real service. Its IDs are in order, and none is like an ID that a program makes. */
export function testServer({
  seed = "demo",
  store = memoryStore(seedState(seed)),
  isReal = false,
  ...options
}: Partial<EmbeddedServerOptions> & { seed?: string; isReal?: boolean } = {}) {
  let ids = 0;
  const random = { uuid: () => `70000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
  const dialect = isReal ? { dialect: openzeppelinDialect(random) } : {};
  return createEmbeddedServer({ token: TOKEN, store, clock: manualClock(), random, ...dialect, ...options });
}
