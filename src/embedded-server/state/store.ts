import { advanceState, nextAdvance } from "../lifecycle/advance.ts";
import type { ServerClock } from "../world.ts";
import type { ServerState, Update } from "./state.ts";

/** Holds the state. Both functions see it whole and exclusively. */
export interface ServerStore {
  read<T>(look: (state: ServerState) => T): Promise<T>;
  /** Edits the state. An edit that throws must not have changed anything. */
  change<T>(edit: (state: ServerState) => T): Promise<T>;
}

export function memoryStore(state: ServerState): ServerStore {
  return {
    read: async (look) => look(state),
    change: async (edit) => edit(state),
  };
}

export function storeUnderConditions(
  store: ServerStore,
  conditions: Pick<ServerState, "faults" | "pricesChangeSince" | "expiry">,
): ServerStore {
  return {
    read: (look) => store.read((state) => look(Object.assign(state, conditions))),
    change: (edit) => store.change((state) => edit(Object.assign(state, conditions))),
  };
}

export function reportingStore(store: ServerStore, updated: (updates: readonly Update[]) => void): ServerStore {
  return {
    read: store.read,
    async change(edit) {
      const { result, updates } = await store.change((state) => ({
        result: edit(state),
        updates: state.outbox.splice(0),
      }));
      updated(updates);
      return result;
    },
  };
}

/** Creates a store whose transactions advance with the clock; `updated` is called after storing. */
export function movingStore(
  store: ServerStore,
  now: () => number,
  updated: (updates: readonly Update[]) => void = () => {},
): ServerStore {
  const { change } = reportingStore(store, updated);
  const isDue = (state: ServerState) => nextAdvance(state, now()) !== undefined;
  const catchUp = () => change((state) => advanceState(state, now()));

  return {
    async read(look) {
      const seen = await store.read((state) => (isDue(state) ? undefined : { found: look(state) }));
      if (seen) return seen.found;
      await catchUp();
      return store.read(look);
    },
    async change(edit) {
      if (await store.read(isDue)) await catchUp();
      return change(edit);
    },
  };
}

/** The maximum milliseconds until a newly added transaction is noticed. */
const CHECK_INTERVAL = 1000;

/** Advances, so that webhooks are sent in time. @returns starts it if one may be pending; it stops by itself */
export function readStoreWhenDue(store: ServerStore, clock: ServerClock, signal: AbortSignal): () => void {
  let isAwake = false;

  async function move(): Promise<void> {
    const nextTimestamp = () => store.read((state) => nextAdvance(state, Number.POSITIVE_INFINITY)?.due);
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
