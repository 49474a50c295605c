import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { statusOf } from "../../contract/transaction/transaction-state.ts";
import type { RevertReason } from "../simulation/revert-reason.ts";
import type { Standing } from "./followed.ts";

/** Where a transaction stands, for scripts. Amounts are digits in wei, and null is not known. */
export interface WaitResult extends JsonObject {
  relayer_id: string;
  id: string;
  /** `reached`, `unmet`, `mismatch`, `gone`, `pending`; null while it is followed. */
  end: string | null;
  verdict: string | null;
  why: string | null;
  /** Whether only the record shows it, since the chain could not be asked. */
  by_record: boolean;
  status: string | null;
  nonce: JsonValue;
  /** How many transactions of the account wait before it. */
  ahead: JsonValue;
  /** What is on the chain, or will be; otherwise the record's. */
  hash: string | null;
  block: JsonValue;
  to: string | null;
  value: string | null;
  fee_paid: string | null;
  /** Why it reverted, on one line, and the bytes that say so. */
  reason: string | null;
  revert_data: string | null;
  /** Why parts of what would show more are missing. */
  missing: string[];
}

export function resultOf({ relayerId, id, record, verdict, end, ahead, feePaid }: Standing): WaitResult {
  const { seen } = verdict ?? {};
  const recorded = wireAmount(record?.value);
  return {
    relayer_id: relayerId,
    id,
    end: end ?? null,
    verdict: verdict?.verdict ?? null,
    why: verdict?.why ?? null,
    by_record: verdict?.isByRecord === true,
    status: record === undefined ? null : statusOf(record),
    nonce: wireAmount(record?.nonce) ?? null,
    ahead: ahead ?? null,
    hash: seen?.hash ?? formatText(record?.hash) ?? formatText(record?.signature) ?? null,
    block: seen?.block ?? null,
    to: seen ? seen.to : (formatText(record?.to) ?? null),
    value: String(seen?.value ?? recorded ?? "") || null,
    fee_paid: feePaid === undefined ? null : String(feePaid),
    ...reasonFields(verdict?.reason),
    missing: [...(verdict?.missing ?? [])],
  };
}

export function withoutChain(why: string | null): string {
  return `${why}, and the chain could not be asked`;
}

function reasonFields(reason: RevertReason | undefined): Pick<WaitResult, "reason" | "revert_data"> {
  return { reason: reason?.words ?? null, revert_data: reason?.data ?? null };
}

function formatText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const ENDS = ["mismatch", "unmet", "gone", "pending", "reached", undefined];

/** Sorts worst first, in the order of the exit codes: 14 before 13 before 15. */
export function worstFirst(standings: readonly Standing[]): Standing[] {
  return [...standings].sort((one, other) => ENDS.indexOf(one.end) - ENDS.indexOf(other.end));
}
