/** Remembers values by key, and forgets the keys that were used least recently. */
export interface Recent<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/** @param most the number of keys that are remembered */
export function createRecent<T>(most: number): Recent<T> {
  const values = new Map<string, T>();
  const refreshed = (key: string, value: T) => {
    values.delete(key);
    values.set(key, value);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) refreshed(key, value);
      return value;
    },
    set(key, value) {
      refreshed(key, value);
      const [oldest] = values.size > most ? values.keys() : [];
      if (oldest !== undefined) values.delete(oldest);
    },
  };
}
