import { nextDue } from "../lifecycle/advance.ts";
import type { DemoClock } from "../world.ts";
import type { DemoStore } from "./store.ts";

/** How long at most until one that was added meanwhile is seen. */
const LOOK = 1000;

/**
 * Lets transactions move while nobody asks, so that webhooks are told of it in time.
 * @param store one that moves when it is read
 * @returns to be called when a transaction may be under way; it ends by itself when none is, and with the signal
 */
export function keepMoving(store: DemoStore, clock: DemoClock, signal: AbortSignal): () => void {
  let isAwake = false;

  async function move(): Promise<void> {
    const nextTimestamp = () => store.read((state) => nextDue(state, Number.POSITIVE_INFINITY)?.due);
    for (let due = await nextTimestamp(); due !== undefined && !signal.aborted; due = await nextTimestamp()) {
      await clock.sleep(Math.min(Math.max(due - clock.now(), 1), LOOK), signal);
    }
  }

  return () => {
    if (isAwake) return;
    isAwake = true;
    // A state that cannot be read is told to whoever asks next.
    move()
      .catch(() => {})
      .finally(() => {
        isAwake = false;
      });
  };
}
