import type { Examined } from "../../../chain/examine.ts";
import { isSameVersion, type Version, versionOf } from "../../../chain/verdict/version.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Intent } from "../../../journal/entry.ts";

/** What shows that a replacement or a cancellation was applied, or why nothing does. */
export type Changed = { data: JsonObject } | { because: string };

/**
 * Returns the version that a replacement asks for, if it would show: one that only changes prices looks like what the
 * service does by itself, and one that is unknown like any other.
 */
export function distinctVersion({ body, before }: Intent): Version | undefined {
  const wanted = isJsonObject(body) ? versionOf(body) : undefined;
  // The data of the transaction before is not recorded.
  const old = before && versionOf({ ...before, data: wanted?.data ?? "0x" });
  return wanted && old && !isSameVersion(wanted, old) ? wanted : undefined;
}

export function replacedByRecord(record: Transaction, wanted: Version): Changed | undefined {
  const found = versionOf(record);
  return found && isSameVersion(found, wanted) ? { data: record } : undefined;
}

/** Returns what the chain shows of a replacement: the requested version was mined. */
export function replacedByChain(record: Transaction, wanted: Version, { verdict, fault }: Examined): Changed {
  const { seen } = verdict;
  if (seen?.block !== undefined && isSameVersion(seen, wanted)) return { data: { ...record, hash: seen.hash } };
  return { because: fault ? `the chain could not be checked: ${fault.words}` : verdict.why };
}

/** Returns what the chain shows of a cancellation that the record does not show. */
export function canceledByChain(record: Transaction, { verdict, fault }: Examined): Changed {
  if (verdict.verdict === "canceled") return { data: { ...record, ...(verdict.seen && { hash: verdict.seen.hash }) } };
  return { because: fault ? `the chain could not be checked: ${fault.words}` : verdict.why };
}
