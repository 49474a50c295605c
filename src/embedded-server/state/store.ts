import type { DemoState } from "./state.ts";

/** Where the state is. Both functions see it whole and alone. */
export interface DemoStore {
  read<T>(look: (state: DemoState) => T): Promise<T>;
  /** Edits the state. An edit that throws must have changed nothing. */
  change<T>(edit: (state: DemoState) => T): Promise<T>;
}

/** A state that lasts as long as the process. */
export function memoryStore(state: DemoState): DemoStore {
  return {
    read: async (look) => look(state),
    change: async (edit) => edit(state),
  };
}
