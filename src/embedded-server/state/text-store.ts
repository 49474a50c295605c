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
 * Creates a store over a text. It begins with the seed, which the first read writes, too, so that later ones find the same
 * times. A text that cannot be read is a `usage` error with its `name` (for a file, its path), and stays unchanged.
 */
export function textStore(kept: KeptText, seed: () => ServerState, name?: string): ServerStore {
  const buildState = (text: string | undefined) => (text === undefined ? seed() : stateFromText(text, name));
  return {
    async read(look) {
      const text = await kept.load();
      if (text !== undefined) return look(buildState(text));
      // Where nothing can be written, a read shows the seed nevertheless.
      await kept.change((other) => other ?? stateToText(seed())).catch(() => {});
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
