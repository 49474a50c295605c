import { effectTexts } from "../../../contract/effect/texts.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isUnsigned, statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Earlier } from "../transaction-write.ts";

const STAYS_VALID = `the earlier version ${effectTexts.staysValid}`;

/** Returns what happens to the earlier version, for the prompt. Without a hash it was never signed. */
export function earlierVersion({ data, kind }: Earlier): string[] {
  if (typeof data.hash === "string") return [STAYS_VALID];
  return isUnsigned(data, kind)
    ? ["the earlier version is not signed yet: unless the service signs it first, it can't be mined"]
    : [];
}

/** Returns lines about both versions after the replacement, which does not change the status. */
export function versionsNow(after: Transaction, earlier: Earlier | undefined) {
  return { earlierVersion: earlierVersionNow(after, earlier), hash: hashMayChange(after, earlier) };
}

function earlierVersionNow(after: Transaction, earlier: Earlier | undefined): string[] {
  if (!earlier) return [`once signed, ${STAYS_VALID}`];
  if (typeof earlier.data.hash === "string") return [STAYS_VALID];
  return isUnsigned(earlier.data, earlier.kind) && statusOf(after) === "pending"
    ? ["the earlier version was never signed: it can't be mined anymore"]
    : [];
}

/** Returns a note that the hash is seldom final if an earlier version was broadcast (facts 15.1, 16.2). */
function hashMayChange({ hash }: Transaction, earlier: Earlier | undefined): string[] {
  const isNew = typeof hash === "string" && hash !== earlier?.data.hash;
  if (!isNew || earlier?.kind !== "evm" || isUnsigned(earlier.data, "evm")) return [];
  return ["services up to v1.8 sign it once more before they broadcast it: the hash above may change"];
}
