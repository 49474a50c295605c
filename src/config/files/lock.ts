import { RelayctlError } from "../../errors.ts";
import { codeOf } from "./file-error.ts";

/** What a writer needs of the world, as members of `App`. */
export interface Surroundings {
  clock: { elapsed(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> };
  random: { uuid(): string; fraction(): number };
  interrupt: AbortSignal;
}

/** A holder that shows no life for so long, in milliseconds, is taken for dead. */
const STALE = 5_000;
/** How long a living holder is waited for, unless said. */
const PATIENCE = 10_000;

/**
 * Runs the work while no other process that locks the same path runs its own. A holder that was stopped for longer than
 * `STALE` may wake up beside the next one, and two may take over a dead one's lock at once: the work must bear that.
 * @param patience milliseconds for which a living holder is waited for
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
    // A lock that somebody else took over cannot be released, and need not be.
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
