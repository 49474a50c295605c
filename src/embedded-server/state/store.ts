import type { ServerState } from "./state.ts";

/** Holds the state. Both functions see it whole and exclusively. */
export interface ServerStore {
  read<T>(look: (state: ServerState) => T): Promise<T>;
  /** Edits the state. An edit that throws must not have changed anything. */
  change<T>(edit: (state: ServerState) => T): Promise<T>;
}

/** Creates a store that lasts as long as the process. */
export function memoryStore(state: ServerState): ServerStore {
  return {
    read: async (look) => look(state),
    change: async (edit) => edit(state),
  };
}
