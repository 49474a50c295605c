import type { ServerState } from "./state.ts";
import { stateFromText, stateToText } from "./state-text.ts";
import type { ServerStore } from "./store.ts";

/** A text that outlives the process. Its implementation provides the lock and the safe write. */
export interface KeptText {
  load(): Promise<string | undefined>;
  /** Reads, edits, and writes without another writer in between. Nothing is written if the edit throws. */
  change(edit: (text: string | undefined) => string): Promise<void>;
}

/**
 * Creates a store over a text. It begins with the seed; reading writes nothing. A text that cannot be read is a `usage`
 * error with its `name` (for a file, its path), and stays unchanged.
 */
export function textStore(kept: KeptText, seed: () => ServerState, name?: string): ServerStore {
  const buildState = (text: string | undefined) => (text === undefined ? seed() : stateFromText(text, name));
  return {
    async read(look) {
      return look(buildState(await kept.load()));
    },
    async change<T>(edit: (state: ServerState) => T): Promise<T> {
      const results: T[] = [];
      await kept.change((text) => {
        const state = buildState(text);
        results.push(edit(state));
        return stateToText(state);
      });
      return results[0] as T;
    },
  };
}
