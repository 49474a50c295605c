import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import type { EmbeddedServerOptions } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { type ApiRequest, askDemo, stoppedClock, UUID } from "../ask.ts";

/** The embedded server as it speaks with `--dialect openzeppelin`, with the relayer and the hook of the recorded exchanges. */
export function askService(options: Partial<EmbeddedServerOptions> = {}) {
  const state = seedState("demo");
  state.relayers.put({
    id: "evm-1",
    name: "Name evm-1",
    network: "sepolia",
    network_type: "evm",
    address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    signer_id: "s1",
    notification_id: "hook-1",
    paused: false,
    system_disabled: false,
    custom_rpc_urls: [
      { url: "http://127.0.0.1:8545/k/abc", weight: 80 },
      { url: "http://127.0.0.1:8545", weight: 100 },
    ],
    policies: { eip1559_pricing: true, gas_price_cap: 2n ** 128n - 1n },
  });
  state.notifications.put({
    id: "hook-1",
    type: "webhook",
    url: "http://127.0.0.1:8998/a",
    signing_key: "n".repeat(40),
  });
  const clock = stoppedClock();
  let ids = 0;
  const random = { uuid: () => `${UUID.slice(0, -2)}${String(++ids).padStart(2, "0")}`, fraction: () => 0 };
  const dialect = openzeppelinDialect(random);
  const ask: ApiRequest = askDemo({ store: memoryStore(state), clock, random, dialect, ...options });
  return { ask, clock, state };
}
