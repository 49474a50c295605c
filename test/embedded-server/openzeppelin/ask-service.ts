import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import type { EmbeddedServerOptions } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { type ApiRequest, askDemo, stoppedClock, UUID } from "../ask.ts";

/** The embedded server as it speaks with `--dialect openzeppelin`, with one more relayer, which has sent nothing. */
export function askService(options: Partial<EmbeddedServerOptions> = {}) {
  const state = seedState("demo");
  state.relayers.put({ ...state.relayers.get("eth-main-1"), id: "evm-1", network: "sepolia", signer_id: "s1" });
  const clock = stoppedClock();
  let ids = 0;
  const random = { uuid: () => `${UUID.slice(0, -2)}${String(++ids).padStart(2, "0")}`, fraction: () => 0 };
  const dialect = openzeppelinDialect(random);
  const ask: ApiRequest = askDemo({ store: memoryStore(state), clock, random, dialect, ...options });
  return { ask, clock, state };
}
