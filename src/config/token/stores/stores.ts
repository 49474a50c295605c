import { keychain, secretService, wincred } from "./desktop-stores.ts";
import type { Entry, TokenStore } from "./token-store.ts";
import { op, pass, vault } from "./vault-stores.ts";

/** Every store, by the word for `--store`. */
const STORES = { keychain, "secret-service": secretService, wincred, pass, op, vault };

export type StoreName = keyof typeof STORES;

/** An entry and its store. */
export interface Kept {
  in: StoreName;
  entry: Entry;
}

export function storeOf(kept: Kept): TokenStore {
  return STORES[kept.in];
}

/**
 * Returns the entry that a context's `token_command` prints, if `auth login --store` wrote that command for the context;
 * undefined for any other command, which relayctl never changes anything for.
 * @param folder the folder of the config
 */
export function keptBy(argv: readonly string[] | undefined, name: string, folder: string): Kept | undefined {
  if (argv === undefined) return undefined;
  for (const [word, store] of Object.entries(STORES) as [StoreName, TokenStore][]) {
    const entry: Entry = { name, folder, server: "", ...store.partsOf(argv) };
    if (sameWords(store.get(entry), argv)) return { in: word, entry };
  }
  return undefined;
}

export function sameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
