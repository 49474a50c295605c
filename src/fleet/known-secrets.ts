import type { FleetNoun } from "./desired.ts";

/** Returns whether a text was last applied from here. */
export type IsLastApplied = (secret: string) => Promise<boolean>;

/** What is known from here about values that the service does not return. */
export interface KnownSecrets {
  /**
   * Returns a test for the value of a member that was last applied from here; undefined if nothing is known about it.
   * @param path `signing_key`, `config.secret_id`; for RPC URLs the list, whose test takes the text of any of its entries
   *   (see `weightedUrlText`)
   */
  lastApplied(noun: FleetNoun, id: string, path: string): Promise<IsLastApplied | undefined>;
  /** Returns the members whose last change may still arrive, whatever the service shows. */
  doubted?(noun: FleetNoun, id: string): Promise<readonly string[]>;
}

/** Knows nothing: each value that the service does not return is left out of the comparison. */
export const NO_SECRETS: KnownSecrets = { lastApplied: async () => undefined };
