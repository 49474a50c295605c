import type { NetworkKind } from "../contract/network-kind.ts";

export const NO_FILE = "cannot be read: it does not exist";

/** Returns a list's typed addresses with the address of a label, or why it has none. */
export type ResolveLabel = (kind: NetworkKind, typed: string) => { address: string } | { rule: string };

export interface FleetSources {
  /** Returns the text of a file, or of stdin for `-`. @throws RelayctlError usage, without the content */
  read(path: string): Promise<string>;
  /** Returns the names in a folder below the root, unordered; none without it. @throws RelayctlError usage */
  list(folder: string, root: string): Promise<string[]>;
  /** @param from the referring file, whose folder must contain it; undefined for a reviewed plan @throws usage */
  readReferenced(path: string, from: string | undefined): Promise<string>;
  /** Returns the folders that a path may mean, each with the folder below which it has to be, in the order of the service. */
  foldersFor(path: string, file: string): Promise<readonly { folder: string; root: string }[]>;
  /** Set if members that this version does not know are left out. */
  allowsUnknown?: boolean;
  env(name: string): string | undefined;
  mayShow(name: string): boolean;
  /** Reads the labels; called only if a list of addresses may have one. */
  labels(): Promise<ResolveLabel>;
  /** Called with each secret, so that no output can contain it. */
  protect?(secret: string): void;
}
