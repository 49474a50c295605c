import { addressProblem, hexBytesProblem } from "../../contract/address.ts";
import { currencyOf, formatAmount, priceText, wireAmount } from "../../contract/amount.ts";
import { knownTime } from "../../contract/reply/received-time.ts";
import { TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import { isTxBeingCanceled, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { nodeDelayText } from "../node/late-node.ts";
import { feesOf, mostFeePerGas } from "../replacement/fees.ts";
import type { Cause, PassedOver, QueueChain, QueueEvidence, QueueHead } from "./diagnosis.ts";
import { type Slots, slotNonce } from "./slots.ts";

/** Milliseconds after which the service fills a gap (facts 16.3). */
const FILLED_AFTER = 200_000;
/** Milliseconds after which a transaction that pays enough is slow: the fastest were sent again by then (facts 5.1). */
const SLOW_AFTER = 120_000;
/** Milliseconds until a node has to know a transaction that was just sent (facts 16.2). */
const KNOWN_AFTER = 25_000;

export function headCause(head: Omit<QueueHead, "prediction">, evidence: QueueEvidence, slots: Slots): Cause {
  const { nonce, record } = head;
  const isAbsent = !record || (txStatus(record) !== "pending" && evidence.chain?.waiting?.knowsRecord === false);
  if (nonce !== undefined && isAbsent && evidence.chain?.delay !== undefined)
    return {
      code: "node_behind",
      message: `${nodeDelayText(evidence.chain.delay, evidence.now)}; what it does not show may be mined`,
      remedy: "other-node",
      isStuck: "unknown",
    };
  if (!record) return gapCause(nonce, evidence, slots);
  if (nonce === undefined) return unpreparedCause(record, evidence);
  const { chain, now } = evidence;
  switch (txStatus(record)) {
    case "pending":
      return unsentCauseOfPending(record, now - createdAt(record, now));
    case "sent":
      return isWaiting(chain, nonce) || (record.sent_at ?? null) !== null
        ? sentAnywayCause(record, evidence, nonce)
        : unsentCauseOfSent(record, evidence, now - createdAt(record, now));
    case "submitted":
      return submittedCause(record, evidence, nonce);
    default:
      return inProgressCause(`its record reads ${txStatus(record)}`);
  }
}

function gapCause(nonce: bigint | undefined, { chain, now }: QueueEvidence, { ended }: Slots): Cause {
  if (nonce !== undefined && isWaiting(chain, nonce))
    return {
      code: "unrecorded",
      message: "no open record has this nonce, but a transaction with it waits at the node",
      remedy: "wait",
    };
  const former = ended.findLast((record) => slotNonce(record) === nonce);
  if (former && txStatus(former) === "confirmed") {
    const isStuck = now - (knownTime(former.confirmed_at) ?? headSentAt(former, now)) > FILLED_AFTER;
    const message = `${former.id} reads confirmed, and the node does not show its nonce as used`;
    return isStuck
      ? { code: "gap", message: `${message}: its block may have been removed by a reorganization`, remedy: "wait" }
      : inProgressCause(`${message} yet`);
  }
  const why = former ? `${former.id}, which had this nonce, reads ${txStatus(former)}` : "no record has this nonce";
  const message = `${why}: the service fills the gap by itself, about ${FILLED_AFTER / 1000} s after it arose`;
  return { code: "gap", message, remedy: "wait" };
}

function unpreparedCause(record: Transaction, { relayer, chain, now }: QueueEvidence): Cause {
  const age = now - createdAt(record, now);
  if (age < PREPARED_AGAIN) return inProgressCause("the service is preparing it");
  const why = relayer.isDisabled
    ? "the relayer is disabled"
    : chain
      ? "the worker that prepares transactions may have stopped until the service is restarted, or this one was lost with the service's queue, and only a cancellation ends it"
      : "the relayer's node cannot be reached, and it is prepared about 10 s after the node is back";
  return {
    code: "not_prepared",
    message: `it has waited for a nonce for ${unsentTimeText(age)}: ${why}`,
    remedy: relayer.isDisabled || !chain ? "repair" : "restart",
  };
}

/** The node took it, and the service does not know (facts 16.4). */
function sentAnywayCause(record: Transaction, evidence: QueueEvidence, nonce: bigint): Cause {
  const found = submittedCause(record, evidence, nonce);
  if (found.code !== "slow" && found.code !== "in_progress") return found;
  if ((record.sent_at ?? null) !== null) return found;
  return {
    ...found,
    code: "response_lost",
    message: `the node has it, although its record reads sent: ${found.message}`,
  };
}

function submittedCause(record: Transaction, evidence: QueueEvidence, nonce: bigint): Cause {
  const { chain, now } = evidence;
  const age = now - headSentAt(record, now);
  const [canceling, maxFee] = isTxBeingCanceled(record)
    ? ["its cancellation", "its cancellation's max fee"]
    : ["it", "max fee"];
  if (!chain)
    return {
      code: "in_progress",
      message: `${canceling} was sent ${unsentTimeText(age)} ago by its record`,
      remedy: "none",
      isStuck: "unknown",
    };
  const { waiting } = chain;
  if (waiting?.knowsRecord === false && age >= KNOWN_AFTER) return unknownCause(record, chain, nonce, age);
  const fees = waiting?.fees ?? feesOf(record);
  const most = mostFeePerGas(fees ?? {});
  if (fees && chain.baseFee !== undefined && most < chain.baseFee)
    return {
      code: "underpriced",
      message: `${maxFee} ${priceText(most)} is below the base fee, ${priceText(chain.baseFee)}`,
      remedy: "bump",
    };
  const { passedOver, baseFee } = chain;
  if (passedOver)
    return {
      code: "low_tip",
      message: `${canceling} offers a tip of ${priceText(passedOver.offered)}, and ${passedOverText(passedOver)}`,
      remedy: "bump",
    };
  if (age < SLOW_AFTER)
    return inProgressCause(
      `${canceling} was sent ${unsentTimeText(age)} ago, and ${fees && baseFee !== undefined ? "its fee covers the base fee" : "whether its fee covers the base fee is unknown"}`,
    );
  return {
    code: "slow",
    message: `${canceling} was sent ${unsentTimeText(age)} ago with max fee ${priceText(most)}, and is not mined`,
    remedy: "bump",
  };
}

/** The node does not know the hash that the record shows. */
function unknownCause(record: Transaction, chain: QueueChain, nonce: bigint, age: number): Cause {
  const { fees } = chain.waiting ?? {};
  if (!fees && !isPooled(chain, nonce))
    return {
      code: "dropped",
      message: `it was sent ${unsentTimeText(age)} ago, and the node does not have it anymore`,
      remedy: "bump",
    };
  const price = fees ? ` at ${priceText(mostFeePerGas(fees))}` : "";
  return {
    code: "never_broadcast",
    message: `the node does not know ${record.hash}: the version that the record shows was not broadcast, and an earlier one waits${price}`,
    remedy: "bump",
  };
}

function isWaiting(chain: QueueChain | undefined, nonce: bigint): boolean {
  return (
    chain !== undefined &&
    (chain.waiting?.knowsRecord === true || chain.waiting?.fees !== undefined || isPooled(chain, nonce))
  );
}

function isPooled({ pooled }: QueueChain, nonce: bigint): boolean {
  return pooled !== undefined && pooled > nonce;
}

function createdAt({ created_at }: Transaction, now: number): number {
  return knownTime(created_at) ?? now;
}

/** Returns when a transaction was sent, or else created. */
export function headSentAt(record: Transaction, now: number): number {
  return knownTime(record.sent_at) ?? createdAt(record, now);
}

function passedOverText({ blocks, took, isSuggested }: PassedOver): string {
  if (isSuggested) return `the last ${blocks} blocks stayed empty; the node suggests ${priceText(took)}`;
  return `the last ${blocks} blocks with room took tips from ${priceText(took)}`;
}

/** Milliseconds after which the service prepares a pending transaction again (facts 5.1). */
const PREPARED_AGAIN = 20_000;
/** Milliseconds after which the service has resent a signed transaction twice (facts 5.1). */
const SENT_AGAIN = 60_000;

/** Returns why a transaction can never be signed: a malformed receiver or malformed data (facts 13.3, 16.3). */
export function unsentReason({ to, data }: Transaction): string | undefined {
  const receiver = typeof to === "string" && to !== "" ? addressProblem(to) : undefined;
  if (receiver !== undefined) return `its receiver is malformed: ${receiver}`;
  const bytes = typeof data === "string" && data !== "" ? hexBytesProblem(addHexPrefix(data)) : undefined;
  return bytes === undefined ? undefined : `its data is malformed: it ${bytes}`;
}

/** The service accepts hex without its prefix, and returns it as given (facts 5.2). */
function addHexPrefix(data: string): string {
  return /^0x/i.test(data) ? data : `0x${data}`;
}

/** Returns the cause of a `pending` transaction with the chain's next nonce (facts 16.3). */
function unsentCauseOfPending(record: Transaction, age: number): Cause {
  const reason = unsentReason(record);
  if (reason !== undefined)
    return { code: "unsignable", message: `it can never be signed: ${reason}`, remedy: "replace" };
  if (age < PREPARED_AGAIN) return inProgressCause("the service is signing it");
  return {
    code: "unsigned",
    message: `it has had a nonce for ${unsentTimeText(age)} and is not signed: its signer may have failed`,
    remedy: "bump",
  };
}

/** Returns the cause of a `sent` transaction without a time: one of three, which only the chain shows (facts 16.4). */
function unsentCauseOfSent(
  record: Transaction,
  { chain, symbol }: Pick<QueueEvidence, "chain" | "symbol">,
  age: number,
): Cause {
  if (!chain)
    return {
      code: "not_broadcast",
      message:
        "it reads sent without a time: its fee is below the base fee, or the relayer cannot pay for it, or the node has it and its response was lost; only the chain shows which",
      remedy: "none",
      isStuck: "unknown",
    };
  const fees = feesOf(record);
  const most = mostFeePerGas(fees ?? {});
  if (fees && chain.baseFee !== undefined && most < chain.baseFee)
    return {
      code: "below_base_fee",
      message: `the node refused it: max fee ${priceText(most)} is below the base fee, ${priceText(chain.baseFee)}`,
      remedy: "bump",
    };
  const cost = (wireAmount(record.gas_limit) ?? TRANSFER_GAS) * most + (wireAmount(record.value) ?? 0n);
  const inCoin = (amount: bigint) => formatAmount(amount, currencyOf("evm", symbol));
  if (chain.balance !== undefined && chain.balance < cost)
    return {
      code: "unfunded",
      message: `the node refused it: it costs up to ${inCoin(cost)}, and the relayer has ${inCoin(chain.balance)}`,
      remedy: "fund",
      short: cost - chain.balance,
    };
  if (age < SENT_AGAIN) return inProgressCause("the service is sending it");
  const unknown = [
    ...(fees ? [] : ["its price"]),
    ...(chain.baseFee === undefined ? ["the base fee"] : []),
    ...(chain.balance === undefined ? ["the balance"] : []),
  ];
  if (unknown.length > 0)
    return {
      code: "not_broadcast",
      message: `the service has not sent it for ${unsentTimeText(age)}, and why is unknown: ${unknown.join(" and ")} could not be read`,
      remedy: "none",
    };
  return {
    code: "worker_dead",
    message: `the service has not sent it for ${unsentTimeText(age)}, although its fee and the balance suffice: its worker has probably stopped, and only a restart of the service helps`,
    remedy: "restart",
  };
}

/** Returns an age as `45 s`, `12 min`, `3 h`, `5 days`. */
function unsentTimeText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

function inProgressCause(message: string): Cause {
  return { code: "in_progress", message, remedy: "wait", isStuck: false };
}
