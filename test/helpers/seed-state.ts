import { seedState as seededAt } from "../../src/embedded-server/seed.ts";
import type { ServerState } from "../../src/embedded-server/state/state.ts";
import { memoryStore, type ServerStore } from "../../src/embedded-server/state/store.ts";
import { TEST_TIME } from "./manual-clock.ts";

/** Returns a first state whose story ends when the clock of tests starts. */
export function seedState(seed: string, start = TEST_TIME): ServerState {
  return seededAt(seed, start);
}

/** The state of the demo, which several commands can share. */
export function demoStore(): ServerStore {
  return memoryStore(seedState("demo"));
}
