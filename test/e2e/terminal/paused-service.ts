import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../services/embedded.ts";

/** A service whose time stands still, so that a terminal shows each of its states for as long as needed. */
export interface PausedService {
  /** Lets time pass for it, in seconds. */
  pass(seconds: number): void;
  folder: string;
}

const TOKEN = "token-of-the-paused-service";

/** Starts such a service from the seed `demo`, with IDs that count up, and makes it the current context `local`. */
export async function pausedService(
  folder: string,
  dialect: "interface" | "openzeppelin" = "interface",
): Promise<PausedService> {
  // Now, since a service that stands in the past is one whose node is behind.
  const started = Math.floor(Date.now() / 1000) * 1000;
  let passed = 0;
  let ids = 0;
  const ended = new AbortController();
  const asleep = (signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const signals = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]);
      if (signals.aborted) resolve();
      signals.addEventListener("abort", () => resolve());
    });
  const { env } = await serve({
    token: TOKEN,
    dialect,
    clock: { now: () => started + passed, elapsed: () => passed, sleep: (_, signal) => asleep(signal) },
    random: { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 },
  });
  onTestFinished(() => ended.abort("the test has ended"));
  const config = join(folder, "config");
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const contexts = { local: { server: env.RELAYCTL_SERVER, token: TOKEN } };
  writeFileSync(join(config, "config.json"), JSON.stringify({ version: 1, current: "local", contexts }), {
    mode: 0o600,
  });
  const pass = (seconds: number) => {
    passed += seconds * 1000;
  };
  return { folder, pass };
}
