import { RelayctlError } from "../../errors.ts";
import { codeOf } from "./file-error.ts";

/** The parts of `App` that a writer needs. */
export interface Surroundings {
  clock: { elapsed(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> };
  random: { uuid(): string; fraction(): number };
  interrupt: AbortSignal;
}

/** Milliseconds without activity after which a lock's holder counts as dead. */
const STALE = 5_000;
/** Milliseconds to wait for a living holder (default). */
const PATIENCE = 10_000;

/**
 * Runs the work while no other process with a lock on the same path runs its work. A holder that was stopped for longer
 * than `STALE` may wake up next to the next one, and two may take over a dead holder's lock at once: the work must
 * tolerate that.
 * @param patience milliseconds to wait for a living holder
 */
export async function withLock<T>(
  path: string,
  surroundings: Surroundings,
  work: () => Promise<T>,
  patience = PATIENCE,
): Promise<T> {
  const release = await acquire(path, surroundings, patience);
  try {
    return await work();
  } finally {
    // A lock that another process took over cannot be released, and need not be.
    await release().catch(() => undefined);
  }
}

async function acquire(
  path: string,
  { clock, random, interrupt }: Surroundings,
  patience: number,
): Promise<() => Promise<void>> {
  const { lock } = await import("proper-lockfile");
  const end = clock.elapsed() + patience;
  for (;;) {
    try {
      return await lock(path, { realpath: false, stale: STALE, onCompromised: () => undefined });
    } catch (error) {
      if (codeOf(error) !== "ELOCKED") throw error;
    }
    if (interrupt.aborted) throw new RelayctlError("interrupted", `interrupted; ${path} was not changed`);
    if (clock.elapsed() >= end) throw held(path);
    await clock.sleep(25 + 75 * random.fraction(), interrupt);
  }
}

function held(path: string): RelayctlError {
  return new RelayctlError("usage", `${path}: another relayctl process holds its lock; nothing was changed`, {
    because: [`when no other relayctl is running, remove ${path}.lock`],
  });
}
