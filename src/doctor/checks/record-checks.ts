import { ageText } from "../../contract/age-text.ts";
import { wireAmount } from "../../contract/amount.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, isPending, reasonOf, statusOf } from "../../contract/transaction/transaction-state.ts";
import { ageOf, isSlow } from "../../contract/transaction/usual-time.ts";
import { REVERT_HOURS } from "../codes.ts";
import { known, type RelayerFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import { lookLine, type Place } from "../place.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds after which the service ends a transaction, by the kind of its network (facts 5.1). */
const LONGEST: Readonly<Record<string, number>> = { evm: 8 * 60 * MINUTE, solana: 30 * MINUTE, stellar: 2 * MINUTE };
/** How late the service may be with that. */
const LATE = 15 * MINUTE;

/** Transactions that wait for longer than usual. */
export function backlog({ relayer, read }: RelayerFacts, place: Place): Found[] {
  const { newest, isWhole } = known(read.records);
  const pending = newest.filter(isPending);
  const oldest = pending.at(-1);
  if (pending.length < 2 || !oldest || !isSlow(oldest, networkKind(relayer), place.now)) return [];
  return [
    {
      message: `${pending.length}${isWhole ? "" : " or more"} transactions are pending, the oldest ${oldest.id}`,
      since: createdAt(oldest),
      advice: lookLine(place, "tx", "stuck", { id: relayer.id }),
    },
  ];
}

/** Transactions that the service should have ended by now. */
export function old({ relayer, read }: RelayerFacts, place: Place): Found[] {
  const longest = (LONGEST[String(relayer.network_type)] ?? DAY) + LATE;
  const found = known(read.records).newest.filter((each) => isPending(each) && (ageOf(each, place.now) ?? 0) > longest);
  const oldest = found.at(-1);
  if (!oldest) return [];
  const many = found.length === 1 ? "1 transaction is" : `${found.length} transactions are`;
  return [
    {
      message: `${many} pending for longer than the service allows`,
      since: createdAt(oldest),
      advice: lookLine(place, "tx", "get", { id: relayer.id }, { id: oldest.id }),
    },
  ];
}

/** Transactions that reverted lately: each cost its fee. */
export function reverts({ relayer, read }: RelayerFacts, place: Place): Found[] {
  const isReverted = (each: Transaction) =>
    statusOf(each) === "failed" &&
    /revert/i.test(reasonOf(each)) &&
    (ageOf(each, place.now) ?? Number.POSITIVE_INFINITY) < REVERT_HOURS * 60 * MINUTE;
  const found = known(read.records).newest.filter(isReverted);
  const [newest] = found;
  if (!newest) return [];
  const many = found.length === 1 ? "1 transaction" : `${found.length} transactions`;
  return [
    {
      message: `${many} reverted in the last ${REVERT_HOURS} hours`,
      since: createdAt(newest),
      advice: lookLine(place, "tx", "get", { id: relayer.id }, { id: newest.id }),
    },
  ];
}

/** Final records that do not last: earlier ones are gone, as the nonces show, and the oldest is not old. */
export function expiry({ read }: RelayerFacts, { now }: Place): Found[] {
  const { newest, isWhole } = known(read.records);
  const ages = newest.filter((each) => isFinal(statusOf(each))).map((each) => ageOf(each, now) ?? DAY);
  const oldest = Math.max(...ages);
  const isFirst = newest.some(({ nonce }) => wireAmount(nonce) === 0n);
  if (!isWhole || ages.length < 2 || isFirst || oldest >= 60 * MINUTE) return [];
  return [
    {
      message: `the service seems to delete final records after about ${ageText(oldest)}: there are no older ones`,
      advice:
        "Raise TRANSACTION_EXPIRATION_HOURS of the service: what becomes of a transaction without a record shows on the chain alone.",
    },
  ];
}

function createdAt({ created_at: time }: Transaction): number | undefined {
  const created = receivedTime(time);
  return Number.isFinite(created) ? created : undefined;
}
