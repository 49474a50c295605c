/** Remembers values by key, and forgets the keys that were used least recently. */
export interface Recent<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/** The longest remembered ID; the service's have 36 characters. */
export const LONGEST_ID = 256;
const REMEMBERED = 100_000;

/** Keeps two generations: once the newer is full, the older is forgotten. A single map gets slower with deletions. */
export function createRecent<T>(most = REMEMBERED): Recent<T> {
  let newer = new Map<string, T>();
  let older = new Map<string, T>();
  const set = (key: string, value: T) => {
    if (newer.size === most && !newer.has(key)) [older, newer] = [newer, new Map()];
    newer.set(copiedRecentText(key), value);
  };
  return {
    get(key) {
      const value = newer.get(key);
      if (value !== undefined) return value;
      const old = older.get(key);
      if (old !== undefined) set(key, old);
      return old;
    },
    set,
  };
}

/** Copies a part of a longer text, which V8 would keep in memory as well. */
export function copiedRecentText(text: string): string {
  return Buffer.from(text).toString();
}
