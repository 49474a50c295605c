import { wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";
import { txStatus } from "../../contract/transaction/transaction.ts";
import type { RevertReason } from "../simulation/revert-reason.ts";
import type { Standing } from "./followed.ts";

/** Where a transaction stands, for scripts. Amounts are digits in wei, and null is unknown. */
export type WaitResult = ReturnType<typeof buildWaitResult>;

type Reported = Pick<Standing, "relayerId" | "id"> & Partial<Standing>;

export function buildWaitResult({ relayerId, id, record, verdict, end, ahead, feePaid }: Reported) {
  const { seen } = verdict ?? {};
  const recorded = wireAmount(record?.value);
  return {
    relayer_id: relayerId,
    id,
    /** `reached`, `unmet`, `mismatch`, `gone`, `pending`; null while it is followed. */
    end: end ?? null,
    verdict: verdict?.verdict ?? null,
    why: verdict?.why ?? null,
    /** Whether only the record shows it, since the chain could not be asked. */
    by_record: verdict?.isByRecord === true,
    status: record === undefined ? null : txStatus(record),
    nonce: wireAmount(record?.nonce) ?? null,
    /** How many transactions of the account will be mined before it. */
    ahead: ahead ?? null,
    hash: seen?.hash ?? filledText(record?.hash) ?? filledText(record?.signature) ?? null,
    block: seen?.block ?? null,
    to: seen ? seen.to : (filledText(record?.to) ?? null),
    value: String(seen?.value ?? recorded ?? "") || null,
    fee_paid: feePaid === undefined ? null : String(feePaid),
    /** Why it reverted, on one line, with the bytes. */
    ...reasonFields(verdict?.reason),
    missing: [...(verdict?.missing ?? [])],
  };
}

/** @param missing why the chain could not be asked; empty if it was not to be */
export function waitResultWithoutChain({ why, missing }: Pick<WaitResult, "why" | "missing">): string {
  if (why?.endsWith(" asked")) return why;
  return `${why}, and the chain ${missing.length > 0 ? "could not be asked" : "was not asked"}`;
}

function reasonFields(reason: RevertReason | undefined) {
  return { reason: reason?.words ?? null, revert_data: reason?.data ?? null };
}

function filledText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const ENDS = ["mismatch", "unmet", "gone", "pending", "reached", undefined];

/** Sorts worst first, in the order of the exit codes: 14 before 13 before 15. */
export function worstResultsFirst(standings: readonly Standing[]): Standing[] {
  return [...standings].sort((one, other) => ENDS.indexOf(one.end) - ENDS.indexOf(other.end));
}
