import type { JsonObject } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import type { Journal } from "../journal/journal.ts";

export interface Limited {
  relayerId: string;
  /** Absent if it was not read. */
  relayer: Relayer | undefined;
  kind: NetworkKind | undefined;
  body: JsonObject;
  /** The coin that was typed, which counts if the relayer was not read. */
  coin?: string | undefined;
  replaces?: { id: string; before: Transaction | undefined };
}

/** Returns what a journal lost, for somebody who goes on without it. @throws RelayctlError io for anybody else */
export type LostLines = (journal: Journal, isUsual: boolean) => Promise<readonly string[]>;
