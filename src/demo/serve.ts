import type { InjectedFailure } from "./gates/failures.ts";
import type { RateLimit } from "./gates/rate-limit.ts";
import { listen, type ServedLine } from "./listen.ts";
import { seedState } from "./seed.ts";
import { createDemoServer } from "./server.ts";
import { type DemoStore, memoryStore } from "./state/store.ts";
import type { DemoClock, DemoRandom } from "./world.ts";

/** How the embedded server is served; `App.serve` takes the same. */
export interface DemoServeOptions {
  port: number;
  token: string;
  seed: string;
  latency: number;
  rateLimit?: RateLimit;
  failures: readonly InjectedFailure[];
  listening(port: number): Promise<void>;
  served(line: ServedLine): Promise<void>;
}

export interface DemoWorld {
  clock: DemoClock;
  random: DemoRandom;
  /** Ends it. */
  interrupt: AbortSignal;
  /** Where the state is kept; in memory unless given, and then the seed is the caller's business. */
  store?: DemoStore;
}

/**
 * Serves the embedded server on loopback until the interrupt. The state is read once before anything listens, so that
 * one that cannot be read is told at the start.
 * @throws RelayctlError for an unknown seed, a port that cannot be had, a state that cannot be read
 */
export async function serveDemo(options: DemoServeOptions, world: DemoWorld): Promise<void> {
  const { clock, random, interrupt } = world;
  const store = world.store ?? memoryStore(seedState(options.seed));
  await store.read(() => undefined);
  const answer = createDemoServer({ ...options, store, clock: endingWith(interrupt, clock), random });
  const { port, listening, served } = options;
  await listen({ port, answer, clock, interrupt, listening, served });
}

/** A clock whose waits end with the signal, so that a long latency does not hold up the end. */
function endingWith(signal: AbortSignal, clock: DemoClock): DemoClock {
  return { ...clock, sleep: (milliseconds) => clock.sleep(milliseconds, signal) };
}
