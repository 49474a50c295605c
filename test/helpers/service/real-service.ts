import type { Transport } from "../../../src/client/transport/transport.ts";
import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { manualClock } from "../manual-clock.ts";
import { seedState } from "../seed-state.ts";
import { TOKEN } from "../test-app.ts";

/** Creates a service with the demo fleet that behaves as the real one. @param now the time of its clock */
export function realService(now?: number): Transport {
  const random = { uuid: () => "00000000-0000-4000-8000-000000000001", fraction: () => 0.5 };
  return createEmbeddedServer({
    token: TOKEN,
    store: memoryStore(seedState("demo")),
    clock: manualClock(now),
    random,
    dialect: openzeppelinDialect(random),
  });
}
