import { interruptedError, RelayctlError } from "../../errors.ts";
import { LOCK_LIFETIME, LOCK_PATIENCE, LOCK_POLL } from "../../timing.ts";
import { fileErrorCode } from "./file-error.ts";

export interface LockWorld {
  clock: { elapsed(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> };
  random: { uuid(): string; fraction(): number };
  interrupt: AbortSignal;
}

export interface LockTimes {
  /** How long to wait for a living holder. */
  patience?: number;
  /** Milliseconds (at least 2,000) after which a silent holder counts as dead. Must be equal for all users of a path. */
  lifetime?: number;
  /** Called each time another process has the lock. */
  whenHeld?(): void;
}

/** The work must tolerate a holder that was stopped and wakes up, and two processes that take over at once. */
export async function withLock<T>(
  path: string,
  surroundings: LockWorld,
  work: () => Promise<T>,
  { patience = LOCK_PATIENCE, lifetime = LOCK_LIFETIME, whenHeld = () => {} }: LockTimes = {},
): Promise<T> {
  const release = await acquireLock(path, surroundings, { patience, lifetime, whenHeld });
  try {
    return await work();
  } finally {
    // A lock that another process took over need not be released.
    await release().catch(() => undefined);
  }
}

async function acquireLock(
  path: string,
  { clock, random, interrupt }: LockWorld,
  { patience, lifetime, whenHeld }: Required<LockTimes>,
): Promise<() => Promise<void>> {
  const { lock } = await import("proper-lockfile");
  const { shortest, longest } = LOCK_POLL;
  const end = clock.elapsed() + patience;
  for (;;) {
    try {
      return await lock(path, { realpath: false, stale: lifetime, onCompromised: () => undefined });
    } catch (error) {
      if (fileErrorCode(error) !== "ELOCKED") throw error;
      whenHeld();
    }
    if (interrupt.aborted) throw interruptedError(`; nothing was changed in ${path}`);
    if (clock.elapsed() >= end)
      throw new RelayctlError("usage", `${path} was not changed: another relayctl process holds its lock`, {
        because: [`when no other relayctl is running, remove ${path}.lock`],
      });
    await clock.sleep(shortest + (longest - shortest) * random.fraction(), interrupt);
  }
}
