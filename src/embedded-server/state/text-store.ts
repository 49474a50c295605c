import type { DemoState } from "./state.ts";
import { stateFromText, stateToText } from "./state-text.ts";
import type { DemoStore } from "./store.ts";

/** A text that outlives the process. Who keeps it sees to the lock and to the careful write. */
export interface KeptText {
  /** The text, or nothing when there is none yet. */
  load(): Promise<string | undefined>;
  /** Reads, edits and writes with no other writer between. Nothing is written when the edit throws. */
  change(edit: (text: string | undefined) => string): Promise<void>;
}

/**
 * A state that is kept as a text. It begins as the seed; a reader alone writes nothing. A text that cannot be read is a
 * `usage` error with its `name`, for a file its path, and stays as it is.
 */
export function textStore(kept: KeptText, seed: () => DemoState, name?: string): DemoStore {
  const stateOf = (text: string | undefined) => (text === undefined ? seed() : stateFromText(text, name));
  return {
    async read(look) {
      return look(stateOf(await kept.load()));
    },
    async change<T>(edit: (state: DemoState) => T): Promise<T> {
      const results: T[] = [];
      await kept.change((text) => {
        const state = stateOf(text);
        results.push(edit(state));
        return stateToText(state);
      });
      return results[0] as T;
    },
  };
}
