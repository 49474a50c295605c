import type { FleetNoun } from "./desired-fleet.ts";

export type IsLastApplied = (secret: string) => Promise<boolean>;

/** What earlier writes from here show about values that the service does not return. */
export interface KnownSecrets {
  /**
   * Returns a test for the last applied value of a member; undefined if nothing is known about it.
   * @param path `signing_key`, `config.secret_id`; for RPC URLs the list, whose test accepts any of its entries
   *   (see `weightedRpcUrlText`)
   */
  lastApplied(noun: FleetNoun, id: string, path: string): Promise<IsLastApplied | undefined>;
  /** Returns the members whose last change may still arrive, whatever the service shows. */
  doubted?(noun: FleetNoun, id: string): Promise<readonly string[]>;
}

/** Knows nothing: values that the service does not return are not compared. */
export const NO_SECRETS: KnownSecrets = { lastApplied: async () => undefined };
