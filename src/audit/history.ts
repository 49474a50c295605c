import type { Reading } from "../chain/node/node.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import type { MinedTransaction } from "./mined-nonce.ts";
import type { Unread } from "./nonce-chunks.ts";

export interface HistoryRequest {
  account: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** A transaction, with a further hash by which a record may know it. */
export interface ListedTransaction extends MinedTransaction {
  inner?: string;
}

export interface History {
  /** The number of transactions, or of ledgers that are read for them. */
  size: bigint;
  /** Why earlier transactions are missing. */
  gapBefore?: string;
  /** Returns how many of them were read (default: as many as rows were yielded). */
  done?(): number;
  /** Reads the transactions, oldest first. @throws RelayctlError if the node does not list them any more */
  rows(): AsyncGenerator<readonly (ListedTransaction | Unread)[]>;
}

export type OpenHistory = (request: HistoryRequest) => Promise<Reading<History>>;

export function parseSeconds(value: JsonValue | undefined): number | undefined {
  const seconds = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(seconds * 1_000) && seconds > 0 ? seconds * 1_000 : undefined;
}

export function listObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns the one text of a list, whatever repeats; null for none and for several. */
export function onlyText(texts: readonly (JsonValue | undefined)[]): string | null {
  const [first, ...others] = new Set(texts.filter((text) => typeof text === "string"));
  return others.length === 0 ? (first ?? null) : null;
}
