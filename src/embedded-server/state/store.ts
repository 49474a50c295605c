import type { DemoState } from "./state.ts";

/** Holds the state. Both functions see it whole and exclusively. */
export interface DemoStore {
  read<T>(look: (state: DemoState) => T): Promise<T>;
  /** Edits the state. An edit that throws must not have changed anything. */
  change<T>(edit: (state: DemoState) => T): Promise<T>;
}

/** Creates a store that lasts as long as the process. */
export function memoryStore(state: DemoState): DemoStore {
  return {
    read: async (look) => look(state),
    change: async (edit) => edit(state),
  };
}
