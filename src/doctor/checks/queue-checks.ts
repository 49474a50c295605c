import type { Diagnosis, Finding, FindingCode, QueueHead, QueueStep } from "../../chain/queue/diagnosis.ts";
import { nonceOf, slotsOf } from "../../chain/queue/slots.ts";
import { feesOf, mostPerGas } from "../../chain/replacement/fees.ts";
import { ageText } from "../../contract/age-text.ts";
import { currencyOf, formatAmount, GAS_PRICE, priceText } from "../../contract/amount.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { policiesOf } from "../../contract/relayer-policies.ts";
import { knownTime } from "../../contract/reply/received-time.ts";
import { isPending, reasonOf, statusOf, type Transaction } from "../../contract/transaction/transaction.ts";
import { ageOf, isSlow } from "../../contract/transaction/usual-time.ts";
import { stepArgv, stepText } from "../../relayer-state/step-words.ts";
import { REVERT_HOURS, type RelayerCode } from "../codes.ts";
import { type Queue, type RelayerFacts, valueIn } from "../facts.ts";
import type { Found } from "../finding.ts";
import { lookLine, type Place, remedy } from "../place.ts";

/** A cause of a stuck queue: its code, and its words after the nonce. */
interface Cause {
  code: RelayerCode;
  words(head: QueueHead, baseFee: bigint | undefined): string;
}

const paying = ({ record }: QueueHead, baseFee: bigint | undefined) => {
  const price = formatAmount(mostPerGas((record && feesOf(record)) ?? {}), GAS_PRICE);
  return baseFee === undefined ? price : `${price}, and the base fee is ${priceText(baseFee)}`;
};

/** The causes of facts 15.1, 16.3, and 16.4, in fewer words than a diagnosis has. */
const CAUSES: Readonly<Partial<Record<FindingCode, Cause>>> = {
  underpriced: { code: "NONCE-JAM", words: (head, baseFee) => `has max fee ${paying(head, baseFee)}` },
  low_tip: { code: "NONCE-JAM", words: () => "offers a lower tip than recent blocks took" },
  not_broadcast: {
    code: "NONCE-UNBROADCAST",
    words: () => "was not sent, and why is unknown: the base fee, the balance, or its price could not be read",
  },
  slow: { code: "NONCE-JAM", words: (head, baseFee) => `is not mined, with max fee ${paying(head, baseFee)}` },
  response_lost: { code: "NONCE-JAM", words: () => "is at the node and not mined, although its record reads sent" },
  unsignable: { code: "NONCE-JAM", words: () => "can never be signed: its receiver or its data is malformed" },
  unsigned: { code: "NONCE-JAM", words: () => "is not signed: its signer may have failed" },
  gap: { code: "NONCE-GAP", words: () => "has no record, and the others wait for it" },
  unrecorded: { code: "NONCE-FOREIGN", words: () => "has no record, but a transaction with it waits at the node" },
  below_base_fee: { code: "NONCE-UNBROADCAST", words: (head, baseFee) => `was refused at ${paying(head, baseFee)}` },
  unfunded: { code: "NONCE-UNBROADCAST", words: () => "was refused by the node: the balance does not cover it" },
  worker_dead: { code: "NONCE-UNBROADCAST", words: () => "was not sent, although its fee and the balance suffice" },
  not_prepared: { code: "NONCE-UNBROADCAST", words: () => "has waited for longer than the service needs" },
  dropped: { code: "TX-PHANTOM", words: () => "was sent, and the node does not have it anymore" },
  never_broadcast: {
    code: "TX-PHANTOM",
    words: () => "shows a hash that was never broadcast; an earlier version waits",
  },
};

/** Milliseconds in which a base fee above a transaction's limit may fall again. */
const PASSING = 120_000;

export function stuckBy(code: RelayerCode) {
  return (facts: RelayerFacts, place: Place): Found | undefined => {
    const { diagnosis, evidence } = valueIn(facts.read.queue);
    const { head, findings, isStuck } = diagnosis;
    const [first] = findings;
    const cause = first && CAUSES[first.code];
    if (isStuck !== true || !head || first?.severity !== "fail" || cause?.code !== code) return undefined;
    const since = knownTime(head.record?.sent_at ?? head.record?.created_at);
    if (first.code === "underpriced" && place.now - (since ?? 0) < PASSING) return undefined;
    const nonce = head.nonce === undefined ? "a transaction without a nonce" : `nonce ${head.nonce}`;
    const subject = head.record ? `${nonce} (${head.record.id})` : nonce;
    const message = `${subject} ${cause.words(head, evidence.chain?.baseFee)}${waitsText(diagnosis)}`;
    return { message, transaction: head.record?.id, since, ...buildHelp(facts, valueIn(facts.read.queue), place) };
  };
}

function waitsText({ waiting, head }: Diagnosis): string {
  const others = waiting - (head?.record ? 1 : 0);
  if (others === 0) return "";
  return `; ${others} more ${others === 1 ? "waits" : "wait"}`;
}

function buildHelp({ relayer, symbol }: RelayerFacts, { diagnosis }: Queue, place: Place) {
  const [step] = diagnosis.steps;
  if (!step) return { advice: "relayctl cannot fix this: ask the operator of the service." };
  const argv = LOOKS.includes(step.action) ? undefined : stepArgv(step, { relayerId: relayer.id, flags: [] });
  const ids = [relayer.id, ...("id" in step ? [step.id] : [])];
  // After the command's two words.
  const words = argv?.map((word, index) => (index > 1 && ids.includes(word) ? { id: word } : word));
  if (words) return { remedy: remedy(place, ...words) };
  const stepPlace = {
    relayerId: relayer.id,
    address: relayer.address ?? undefined,
    flags: place.flags,
    coin: currencyOf("evm", symbol),
  };
  const text = stepText(step, diagnosis, stepPlace);
  return { advice: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.` };
}

/** Steps whose command changes nothing: it only shows the relayer, or waits. */
const LOOKS: readonly QueueStep["action"][] = ["repair", "wait", "other-node"];

/** Nonces below the counter that nothing will use: the service fills them once a later transaction waits (facts 16.3). */
export function nonceGaps(facts: RelayerFacts, place: Place): Found | undefined {
  const found = stuckBy("NONCE-GAP")(facts, place);
  const { diagnosis } = valueIn(facts.read.queue);
  const later = diagnosis.findings.filter(({ code, severity }) => code === "gap" && severity === "warn");
  if (found || later.length === 0) return found;
  const message = `${noncesText(later)} no record, and later transactions wait for that`;
  return { message, advice: "Wait until the service fills the gap, about 200 s after it arose." };
}

function noncesText(findings: readonly Finding[]): string {
  const nonces = findings.map(({ nonce }) => String(nonce));
  if (nonces.length === 1) return `nonce ${nonces.join()} has`;
  return `nonces ${nonces.slice(0, 3).join(", ")}${nonces.length > 3 ? ", …" : ""} have`;
}

/** The counter is ahead while nothing waits: the next transaction will wait for the gap (facts 15.7). */
export function nonceDrift({ read: { queue } }: RelayerFacts): Found | undefined {
  const { evidence, diagnosis } = valueIn(queue);
  const { chain, counter } = evidence;
  if (!chain || chain.delay !== undefined || counter === undefined || counter <= chain.nonce || diagnosis.head)
    return undefined;
  const ended = slotsOf(evidence)
    .ended.filter((record) => statusOf(record) === "confirmed")
    .map(nonceOf);
  const open = BigInt(new Set(ended).size);
  const ahead = counter - chain.nonce;
  if (open >= ahead) return undefined;
  return {
    message: `the service assigns nonce ${counter} next, and the chain expects ${chain.nonce}`,
    advice: "The next transaction waits about 200 s until the service fills the gap.",
  };
}

/** Nonces that were used without the service's counter, or without a record (facts 15.7, 15.9). */
export function foreignNonces(facts: RelayerFacts, place: Place): Found | undefined {
  const { evidence, diagnosis } = valueIn(facts.read.queue);
  const { chain, counter } = evidence;
  if (diagnosis.findings.some(({ code }) => code === "counter_behind") && chain && counter !== undefined)
    return {
      message: `the chain expects nonce ${chain.nonce}, and the service assigns ${counter}: the key is used elsewhere`,
      advice: "Use the key nowhere else, and have the service restarted.",
    };
  const advice = lookLine(place, "audit", { id: facts.relayer.id });
  const found = stuckBy("NONCE-FOREIGN")(facts, place);
  return found && { ...found, remedy: undefined, advice };
}

/** A record that was not mined, although its nonce was used, or whose version was never broadcast. */
export function phantomTransactions(facts: RelayerFacts, place: Place): Found[] {
  const { evidence } = valueIn(facts.read.queue);
  const used = slotsOf(evidence).used.filter(({ id }) => evidence.chain?.usedBy?.get(id) === "other");
  const [first] = used;
  const many = used.length === 1 ? `${first?.id} shows` : `${used.length} records show, first ${first?.id},`;
  // A private transaction is known to no node before it is mined.
  const isPrivate = policiesOf(facts.relayer).private_transactions === true;
  const stuck = isPrivate ? undefined : stuckBy("TX-PHANTOM")(facts, place);
  const replaced = first && {
    message: `${many} a hash that is not mined, and nonce ${nonceOf(first)} is used, perhaps by an earlier version`,
    since: knownTime(first.sent_at ?? first.created_at),
    advice: lookLine(place, "tx", "get", { id: facts.relayer.id }, { id: first.id }, "--on-chain"),
  };
  return [stuck, replaced].filter((found) => found !== undefined);
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds after which the service ends a transaction, by the kind of its network (facts 5.1). */
const LONGEST: Readonly<Record<string, number>> = { evm: 8 * 60 * MINUTE, solana: 30 * MINUTE, stellar: 2 * MINUTE };
const LATE = 15 * MINUTE;

export function pendingBacklog({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const { newest, isWhole } = valueIn(read.records);
  const pending = newest.filter(isPending);
  const oldest = pending.at(-1);
  if (pending.length < 2 || !oldest || !isSlow(oldest, networkKind(relayer), place.now)) return undefined;
  return {
    message: `${pending.length}${isWhole ? "" : " or more"} transactions are pending, the oldest ${oldest.id}`,
    since: knownTime(oldest.created_at),
    advice: lookLine(place, "tx", "stuck", { id: relayer.id }),
  };
}

export function oldTransactions({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const longest = (LONGEST[String(relayer.network_type)] ?? DAY) + LATE;
  const found = valueIn(read.records).newest.filter(
    (each) => isPending(each) && (ageOf(each, place.now) ?? 0) > longest,
  );
  const oldest = found.at(-1);
  if (!oldest) return undefined;
  const many = found.length === 1 ? "1 transaction is" : `${found.length} transactions are`;
  return {
    message: `${many} pending for longer than the service allows`,
    since: knownTime(oldest.created_at),
    advice: lookLine(place, "tx", "get", { id: relayer.id }, { id: oldest.id }),
  };
}

/** Transactions that reverted lately: each cost its fee. */
export function recentReverts({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const isReverted = (each: Transaction) =>
    statusOf(each) === "failed" &&
    /revert/i.test(reasonOf(each)) &&
    (ageOf(each, place.now) ?? Number.POSITIVE_INFINITY) < REVERT_HOURS * 60 * MINUTE;
  const found = valueIn(read.records).newest.filter(isReverted);
  const [newest] = found;
  if (!newest) return undefined;
  const many = found.length === 1 ? "1 transaction" : `${found.length} transactions`;
  return {
    message: `${many} reverted in the last ${REVERT_HOURS} hours`,
    since: knownTime(newest.created_at),
    advice: lookLine(place, "tx", "get", { id: relayer.id }, { id: newest.id }),
  };
}

/** Only an ID that the journal knows shows a deletion: a new service has no old records either. */
export function expiredTransactions({ read: { records, accepted } }: RelayerFacts, { now }: Place): Found | undefined {
  const { newest, isWhole } = valueIn(records);
  const there = new Set(newest.map(({ id }) => id));
  const [gone] = isWhole && "value" in accepted ? accepted.value.filter((each) => !there.has(each.transactionId)) : [];
  if (!gone) return undefined;
  return {
    message: `the service has no record of transaction ${gone.transactionId}, which it accepted ${ageText(now - gone.at)} ago`,
    advice:
      "Raise TRANSACTION_EXPIRATION_HOURS of the service: only the chain shows the outcome of a transaction without a record.",
  };
}
