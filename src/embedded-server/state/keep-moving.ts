import { nextDue } from "../lifecycle/advance.ts";
import type { ServerClock } from "../world.ts";
import type { ServerStore } from "./store.ts";

/** The maximum milliseconds until a newly added transaction is noticed. */
const CHECK_INTERVAL = 1000;

/**
 * Advances transactions while no request arrives, so that webhooks are sent in time.
 * @param store a store that advances when it is read
 * @returns a function to call when a transaction may be pending; it stops by itself when none is, and with the signal
 */
export function keepMoving(store: ServerStore, clock: ServerClock, signal: AbortSignal): () => void {
  let isAwake = false;

  async function move(): Promise<void> {
    const nextTimestamp = () => store.read((state) => nextDue(state, Number.POSITIVE_INFINITY)?.due);
    for (let due = await nextTimestamp(); due !== undefined && !signal.aborted; due = await nextTimestamp()) {
      await clock.sleep(Math.min(Math.max(due - clock.now(), 1), CHECK_INTERVAL), signal);
    }
  }

  return () => {
    if (isAwake) return;
    isAwake = true;
    // The next request reports a state that cannot be read.
    move()
      .catch(() => {})
      .finally(() => {
        isAwake = false;
      });
  };
}
