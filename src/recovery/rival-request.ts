import { isSameVersion, type Version, versionOf } from "../chain/verdict/version.ts";
import { holdsAlready } from "../client/read-back/compare.ts";
import { isJsonObject, type JsonValue } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { DAY } from "../journal/created-in-time.ts";
import type { Intent, Journal } from "../journal/journal.ts";
import { appliedOf, writesNewestFirst, writesOf } from "../journal/writes.ts";

/** Its result may be what was read. Must follow the reads, since an intent is recorded before its request leaves. */
export async function rivalRequest(own: Intent, journal: Journal): Promise<Intent | undefined> {
  const { transaction_id: id } = own.ids;
  const others =
    id === undefined ? writesNewestFirst(journal, receivedTime(own.time) - DAY) : writesOf(await journal.find(id));
  let left: JsonValue = own.body ?? null;
  for await (const other of others) {
    const { intent } = other;
    if (intent.id === own.id || intent.server !== own.server || appliedOf(other) === "no") continue;
    if (own.operation === "tx.replace" && asksForSameVersion(own, intent)) return intent;
    if (own.operation === "tx.replace" || intent.operation !== own.operation || intent.target !== own.target) continue;
    left = notRequestedBy(intent.body, left);
    if (left === null) return intent;
  }
  return undefined;
}

/** A new transaction is the version that a replacement may ask for again. */
function asksForSameVersion(own: Intent, other: Intent): boolean {
  if (other.operation !== own.operation && other.operation !== "tx.send") return false;
  const [wanted, theirs] = [requestedVersion(own), requestedVersion(other)];
  return wanted !== undefined && theirs !== undefined && isSameVersion(wanted, theirs);
}

export function requestedVersion({ body }: Intent | Pick<Intent, "body">): Version | undefined {
  return isJsonObject(body) ? versionOf(body) : undefined;
}

/** Returns the part of a patch that another one does not request, or null. */
function notRequestedBy(theirs: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch) || !isJsonObject(theirs)) return null;
  const left = Object.entries(patch).flatMap(([name, value]) => {
    const other = theirs[name];
    const isNested = isJsonObject(value) && isJsonObject(other);
    const rest = isNested ? notRequestedBy(other, value) : value;
    const isRequested = isNested
      ? rest === null
      : other !== undefined && holdsAlready({ [name]: value }, { [name]: other });
    return isRequested ? [] : [[name, rest] as const];
  });
  return left.length > 0 ? Object.fromEntries(left) : null;
}
