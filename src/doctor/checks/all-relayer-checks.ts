import { networkFacts, networkReplacesUnraised } from "../../chain/network.ts";
import { findLateNodeSetting, mostBlockAge } from "../../chain/node/late-node.ts";
import type { Diagnosis, Finding, FindingCode, QueueHead, QueueStep } from "../../chain/queue/diagnosis.ts";
import { slotNonce, slotsOf } from "../../chain/queue/slots.ts";
import { feesOf, mostFeePerGas } from "../../chain/replacement/fees.ts";
import { runwayText } from "../../chain/runway/runway.ts";
import { nodeVariable } from "../../config/nodes.ts";
import { ageText } from "../../contract/age-text.ts";
import { currencyOf, formatAmount, GAS_PRICE, priceText, typedAmount, wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { isNetworkKind, networkKind } from "../../contract/network-kind.ts";
import { policyCap, policyLeastBalance, relayerPolicies } from "../../contract/policy.ts";
import { knownTime } from "../../contract/reply/received-time.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isMaskedRpcUrl, maskRpcUrl } from "../../contract/rpc-url.ts";
import { leastReplacementPrice, TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import { isPending, type Transaction, txReason, txStatus } from "../../contract/transaction/transaction.ts";
import { isBeyondUsualTime, transactionAge } from "../../contract/transaction/usual-time.ts";
import { describeDisabledRecovery } from "../../relayer-state/disabled.ts";
import { queueStepArgv, queueStepText } from "../../relayer-state/step-words.ts";
import { REVERT_HOURS, type RelayerCode, RUNWAY_DAYS } from "../codes.ts";
import { factValue, type Queue, type RelayerFacts } from "../facts.ts";
import type { Checked, Found } from "../finding.ts";
import {
  fixRelayer,
  hasNotification,
  ONCE_ENABLED,
  type Place,
  proposedNotification,
  remedyFor,
  remedyLookLine,
} from "../remedies.ts";

/** A cause of a stuck queue: its code, and its words after the nonce. */
interface Cause {
  code: RelayerCode;
  words(head: QueueHead, baseFee: bigint | undefined): string;
}

const feeText = ({ record }: QueueHead, baseFee: bigint | undefined) => {
  const price = formatAmount(mostFeePerGas((record && feesOf(record)) ?? {}), GAS_PRICE);
  return baseFee === undefined ? price : `${price}, and the base fee is ${priceText(baseFee)}`;
};

/** The causes of facts 15.1, 16.3, and 16.4, in fewer words than a diagnosis has. */
const CAUSES: Readonly<Partial<Record<FindingCode, Cause>>> = {
  underpriced: { code: "NONCE-JAM", words: (head, baseFee) => `has max fee ${feeText(head, baseFee)}` },
  low_tip: { code: "NONCE-JAM", words: () => "offers a lower tip than recent blocks took" },
  not_broadcast: {
    code: "NONCE-UNBROADCAST",
    words: () => "was not sent, and why is unknown: the base fee, the balance, or its price could not be read",
  },
  slow: { code: "NONCE-JAM", words: (head, baseFee) => `is not mined, with max fee ${feeText(head, baseFee)}` },
  response_lost: { code: "NONCE-JAM", words: () => "is at the node and not mined, although its record reads sent" },
  unsignable: { code: "NONCE-JAM", words: () => "can never be signed: its receiver or its data is malformed" },
  unsigned: { code: "NONCE-JAM", words: () => "is not signed: its signer may have failed" },
  gap: { code: "NONCE-GAP", words: () => "has no record, and the others wait for it" },
  unrecorded: { code: "NONCE-FOREIGN", words: () => "has no record, but a transaction with it waits at the node" },
  below_base_fee: { code: "NONCE-UNBROADCAST", words: (head, baseFee) => `was refused at ${feeText(head, baseFee)}` },
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

function stuckBy(code: RelayerCode) {
  return (facts: RelayerFacts, place: Place): Found | undefined => {
    const { diagnosis, evidence } = factValue(facts.read.queue);
    const { head, findings, isStuck } = diagnosis;
    const [first] = findings;
    const cause = first && CAUSES[first.code];
    if (isStuck !== true || !head || first?.severity !== "fail" || cause?.code !== code) return undefined;
    const since = knownTime(head.record?.sent_at ?? head.record?.created_at);
    if (first.code === "underpriced" && place.now - (since ?? 0) < PASSING) return undefined;
    const nonce = head.nonce === undefined ? "a transaction without a nonce" : `nonce ${head.nonce}`;
    const subject = head.record ? `${nonce} (${head.record.id})` : nonce;
    const message = `${subject} ${cause.words(head, evidence.chain?.baseFee)}${waitsText(diagnosis)}`;
    return { message, transaction: head.record?.id, since, ...helpFor(facts, factValue(facts.read.queue), place) };
  };
}

function waitsText({ waiting, head }: Diagnosis): string {
  const others = waiting - (head?.record ? 1 : 0);
  if (others === 0) return "";
  return `; ${others} more ${others === 1 ? "waits" : "wait"}`;
}

function helpFor({ relayer, symbol }: RelayerFacts, { diagnosis }: Queue, place: Place) {
  const [step] = diagnosis.steps;
  if (!step) return { advice: "relayctl cannot fix this: ask the operator of the service." };
  const argv = LOOKS.includes(step.action) ? undefined : queueStepArgv(step, { relayerId: relayer.id, flags: [] });
  const ids = [relayer.id, ...("id" in step ? [step.id] : [])];
  // After the command's two words.
  const words = argv?.map((word, index) => (index > 1 && ids.includes(word) ? { id: word } : word));
  if (words) return { remedy: remedyFor(place, ...words) };
  const stepPlace = {
    relayerId: relayer.id,
    address: relayer.address ?? undefined,
    flags: place.flags,
    coin: currencyOf("evm", symbol),
  };
  const text = queueStepText(step, diagnosis, stepPlace);
  return { advice: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.` };
}

/** Steps whose command changes nothing: it only shows the relayer, or waits. */
const LOOKS: readonly QueueStep["action"][] = ["repair", "wait", "other-node"];

/** Nonces below the counter that nothing will use: the service fills them once a later transaction waits (facts 16.3). */
function nonceGaps(facts: RelayerFacts, place: Place): Found | undefined {
  const found = stuckBy("NONCE-GAP")(facts, place);
  const { diagnosis } = factValue(facts.read.queue);
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
function nonceDrift({ read: { queue, node } }: RelayerFacts): Found | undefined {
  const { evidence, diagnosis } = factValue(queue);
  const { chain, counter, now } = evidence;
  if (!chain || chain.delay !== undefined || counter === undefined || counter <= chain.nonce || diagnosis.head)
    return undefined;
  // The node may not show yet what has just been confirmed; what it lacks for longer was removed from the chain.
  const since = now - mostBlockAge(factValue(node));
  const isNew = ({ confirmed_at }: Transaction) => (knownTime(confirmed_at) ?? now) > since;
  const ended = slotsOf(evidence)
    .ended.filter((record) => txStatus(record) === "confirmed" && isNew(record))
    .map(slotNonce);
  const open = BigInt(new Set(ended).size);
  const ahead = counter - chain.nonce;
  if (open >= ahead) return undefined;
  return {
    message: `the service assigns nonce ${counter} next, and the chain expects ${chain.nonce}`,
    advice: "The next transaction waits about 200 s until the service fills the gap.",
  };
}

/** Nonces that were used without the service's counter, or without a record (facts 15.7, 15.9). */
function foreignNonces(facts: RelayerFacts, place: Place): Found | undefined {
  const { evidence, diagnosis } = factValue(facts.read.queue);
  const { chain, counter } = evidence;
  if (diagnosis.findings.some(({ code }) => code === "counter_behind") && chain && counter !== undefined)
    return {
      message: `the chain expects nonce ${chain.nonce}, and the service assigns ${counter}: the key is used elsewhere`,
      advice: "Use the key nowhere else, and have the service restarted.",
    };
  const advice = remedyLookLine(place, "audit", { id: facts.relayer.id });
  const found = stuckBy("NONCE-FOREIGN")(facts, place);
  return found && { ...found, remedy: undefined, advice };
}

/** A record that was not mined, although its nonce was used, or whose version was never broadcast. */
function phantomTransactions(facts: RelayerFacts, place: Place): Found[] {
  const { evidence } = factValue(facts.read.queue);
  const used = slotsOf(evidence).used.filter(({ id }) => evidence.chain?.usedBy?.get(id) === "other");
  const [first] = used;
  const many = used.length === 1 ? `${first?.id} shows` : `${used.length} records show, first ${first?.id},`;
  // A private transaction is known to no node before it is mined.
  const isPrivate = relayerPolicies(facts.relayer).private_transactions === true;
  const stuck = isPrivate ? undefined : stuckBy("TX-PHANTOM")(facts, place);
  const replaced = first && {
    message: `${many} a hash that is not mined, and nonce ${slotNonce(first)} is used, perhaps by an earlier version`,
    since: knownTime(first.sent_at ?? first.created_at),
    advice: remedyLookLine(place, "tx", "get", { id: facts.relayer.id }, { id: first.id }, "--on-chain"),
  };
  return [stuck, replaced].filter((found) => found !== undefined);
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds after which the service ends a transaction, by the kind of its network (facts 5.1). */
const LONGEST: Readonly<Record<string, number>> = { evm: 8 * 60 * MINUTE, solana: 30 * MINUTE, stellar: 2 * MINUTE };
const LATE = 15 * MINUTE;

function pendingBacklog({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const { newest, isWhole } = factValue(read.records);
  const pending = newest.filter(isPending);
  const oldest = pending.at(-1);
  if (pending.length < 2 || !oldest || !isBeyondUsualTime(oldest, networkKind(relayer), place.now)) return undefined;
  return {
    message: `${pending.length}${isWhole ? "" : " or more"} transactions are pending, the oldest ${oldest.id}`,
    since: knownTime(oldest.created_at),
    advice: remedyLookLine(place, "tx", "stuck", { id: relayer.id }),
  };
}

function oldTransactions({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const longest = (LONGEST[String(relayer.network_type)] ?? DAY) + LATE;
  const found = factValue(read.records).newest.filter(
    (each) => isPending(each) && (transactionAge(each, place.now) ?? 0) > longest,
  );
  const oldest = found.at(-1);
  if (!oldest) return undefined;
  const many = found.length === 1 ? "1 transaction is" : `${found.length} transactions are`;
  return {
    message: `${many} pending for longer than the service allows`,
    since: knownTime(oldest.created_at),
    advice: remedyLookLine(place, "tx", "get", { id: relayer.id }, { id: oldest.id }),
  };
}

/** Transactions that reverted lately: each cost its fee. */
function recentReverts({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const isReverted = (each: Transaction) =>
    txStatus(each) === "failed" &&
    /revert/i.test(txReason(each)) &&
    (transactionAge(each, place.now) ?? Number.POSITIVE_INFINITY) < REVERT_HOURS * 60 * MINUTE;
  const found = factValue(read.records).newest.filter(isReverted);
  const [newest] = found;
  if (!newest) return undefined;
  const many = found.length === 1 ? "1 transaction" : `${found.length} transactions`;
  return {
    message: `${many} reverted in the last ${REVERT_HOURS} hours`,
    since: knownTime(newest.created_at),
    advice: remedyLookLine(place, "tx", "get", { id: relayer.id }, { id: newest.id }),
  };
}

/** Only an ID that the journal knows shows a deletion: a new service has no old records either. */
function expiredTransactions({ read: { records, accepted } }: RelayerFacts, { now }: Place): Found | undefined {
  const { newest, isWhole } = factValue(records);
  const there = new Set(newest.map(({ id }) => id));
  const [gone] = isWhole && "value" in accepted ? accepted.value.filter((each) => !there.has(each.transactionId)) : [];
  if (!gone) return undefined;
  return {
    message: `the service has no record of transaction ${gone.transactionId}, which it accepted ${ageText(now - gone.at)} ago`,
    advice:
      "Raise TRANSACTION_EXPIRATION_HOURS of the service: only the chain shows the outcome of a transaction without a record.",
  };
}

function checkDisabled({ relayer, read: { status } }: RelayerFacts, { flags }: Place): Found | undefined {
  if (relayer.system_disabled !== true) return undefined;
  const isRead = "value" in status && wireAmount(status.value.balance) !== undefined;
  const { why, next, remedy: words } = describeDisabledRecovery(relayer, flags, isRead);
  // The advice comes last.
  const [advice, ...more] = [...next].reverse().map((text) => toSentence(text, relayer));
  if (words)
    return {
      message: why,
      remedy: { argv: words, isComplete: false },
      more: [...next.map((text) => toSentence(text, relayer)), REFUSED],
    };
  return {
    message: why,
    advice: advice ?? "The service does not show when it checks again.",
    more: [...more, REFUSED],
  };
}

/** Facts 4.5. */
const REFUSED = "Until then it refuses changes of the relayer.";

/** An address is never the last word: a double click would copy the period, too. */
function toSentence(text: string, { address }: Pick<Relayer, "address">): string {
  const end = address && text.endsWith(address) ? " up to its minimum." : ".";
  return text.slice(0, 1).toUpperCase() + text.slice(1) + end;
}

function checkPaused({ relayer, read: { pause } }: RelayerFacts, place: Place): Found | undefined {
  if (relayer.paused !== true) return undefined;
  const pauser = "value" in pause ? pause.value : undefined;
  return {
    message: pauser ? `paused by ${pauser.by}` : "paused, and the journal here does not show by whom",
    since: pauser?.since,
    ...(relayer.system_disabled === true
      ? { advice: ONCE_ENABLED }
      : { remedy: remedyFor(place, "relayers", "resume", { id: relayer.id }) }),
  };
}

/** A relayer without a notification gets the most common notification. */
function noNotification({ relayer }: RelayerFacts, place: Place): Found | undefined {
  if (hasNotification(relayer)) return undefined;
  const message = "no notification is set: failures go unreported";
  if (relayer.system_disabled === true) return { message, advice: ONCE_ENABLED };
  if (!place.notifications) return { message, advice: "The notifications cannot be listed now." };
  const usual = proposedNotification(place);
  if (usual !== undefined)
    return { message, remedy: fixRelayer(place, relayer, ...flagWords("--notification-id", usual)) };
  return { message, remedy: remedyFor(place, "notifications", "create", "--type", "webhook", "--url", "URL") };
}

function flagWords(flag: string, value: string): string[] {
  return value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
}

/** Counts a mask that was written back, unless the service shows other URLs whole (facts 4.4, 8.2). */
function maskedUrl({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const own = checkedUrls(relayer.custom_rpc_urls);
  const url = own.find(isMaskedRpcUrl);
  const showsWhole = ({ custom_rpc_urls: urls }: Relayer) =>
    checkedUrls(urls).some((each) => maskRpcUrl(each) !== each);
  if (url !== undefined && place.relayers.some(showsWhole)) {
    const help = fixRelayer(place, relayer, "--rpc-url", "URL");
    return { message: `${url} is stored with its mask`, ...(help ? { remedy: help } : { advice: ONCE_ENABLED }) };
  }
  const network = factValue(read.network);
  const [shared] = own.length > 0 ? [] : checkedUrls(network?.rpc_urls).filter(isMaskedRpcUrl);
  if (shared === undefined || !network) return undefined;
  return {
    message: `${shared} of its network is stored with its mask`,
    remedy: remedyFor(place, "networks", "update", { id: network.id }, "--rpc-url", "URL"),
  };
}

export function checkedUrls(entries: unknown): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: string | JsonObject | null) => {
    const url = typeof entry === "string" ? entry : entry?.url;
    return typeof url === "string" ? [url] : [];
  });
}

/** Seconds that a balance should last. */
const LEAST_RUNWAY = BigInt(RUNWAY_DAYS) * 86_400n;

function nodeDown(facts: RelayerFacts, place: Place): Found | undefined {
  const { silence } = factValue(facts.read.node);
  if (silence === undefined) return undefined;
  return { message: `${nameNode(facts)} does not respond: ${silence}`, ...otherNode(facts, place) };
}

function wrongChain(facts: RelayerFacts, place: Place): Found | undefined {
  const { wrongChain: message } = factValue(facts.read.node);
  return message === undefined ? undefined : { message, ...otherNode(facts, place) };
}

function nodeBehind(facts: RelayerFacts, place: Place): Found | undefined {
  const { delay, blockTime } = factValue(facts.read.node);
  if (delay === undefined) return undefined;
  const message = `the newest block of ${nameNode(facts)} is ${ageText(delay)} old; the network has one every ${blockTime / 1000} s`;
  return { message, since: place.now - delay, ...otherNode(facts, place) };
}

function nameNode({ read }: RelayerFacts): string {
  return factValue(read.node).isOwn ? "your own node" : "its node";
}

function otherNode({ relayer, read }: RelayerFacts, place: Place): Pick<Found, "remedy" | "advice"> {
  const { network } = relayer;
  if (factValue(read.node).isOwn && typeof network === "string")
    return {
      advice: `Set another URL in ${nodeVariable(network)}, or with relayctl context set CONTEXT --node ${network}=URL.`,
    };
  const found = findLateNodeSetting(relayer);
  if (!found) return { advice: ONCE_ENABLED };
  return { remedy: remedyFor(place, found.noun, "update", { id: found.id }, "--rpc-url", "URL") };
}

function belowMinimum({ relayer, symbol, read }: RelayerFacts): Found | undefined {
  const { network_type: kind, address } = relayer;
  const balance = wireAmount(factValue(read.status).balance);
  const least = policyLeastBalance(relayer);
  if (balance === undefined || balance >= least || !isNetworkKind(kind)) return undefined;
  const show = (amount: bigint) => formatAmount(amount, currencyOf(kind, symbol));
  const message = `its balance of ${show(balance)} is below min_balance, ${show(least)}`;
  return { message, advice: fundAdvice(address, `with at least ${show(least - balance)}`) };
}

function fundAdvice(address: Relayer["address"], how: string): string {
  return `Fund ${address ?? "its address"} ${how}.`;
}

function checkBalance({ relayer, symbol, read }: RelayerFacts): Found | undefined {
  const balance = wireAmount(factValue(read.status).balance);
  const cost = TRANSFER_GAS * factValue(read.prices).fast;
  if (balance === undefined || balance >= cost) return undefined;
  const show = (amount: bigint) => formatAmount(amount, currencyOf("evm", symbol));
  const message = `its balance of ${show(balance)} cannot pay for a transfer now, about ${show(cost)}`;
  return { message, advice: fundAdvice(relayer.address, `with at least ${show(cost - balance)}`) };
}

function shortRunway({ relayer, read }: RelayerFacts): Found | undefined {
  const runway = factValue(read.runway);
  if (runway.seconds === undefined || runway.seconds >= LEAST_RUNWAY) return undefined;
  const message = `its balance lasts ${runwayText(runway)}`;
  return { message, advice: fundAdvice(relayer.address, "soon") };
}

/** A relayer's checks, which only run if their facts were read. */
export const relayerChecks: Readonly<Record<RelayerCode, (facts: RelayerFacts, place: Place) => Checked>> = {
  "REL-DISABLED": checkDisabled,
  "REL-PAUSED": checkPaused,
  "REL-NO-CAP": noCap,
  "REL-CAP-TIGHT": tightCap,
  "REL-NO-BUMP": noBump,
  "REL-MIN-BALANCE-UNSET": noMinimum,
  "REL-NO-NOTIFICATION": noNotification,
  "REL-ANY-RECEIVER": anyReceiver,
  "REL-MASKED-URL": maskedUrl,
  "RPC-DOWN": nodeDown,
  "RPC-CHAIN": wrongChain,
  "RPC-BEHIND": nodeBehind,
  "NONCE-JAM": stuckBy("NONCE-JAM"),
  "NONCE-GAP": nonceGaps,
  "NONCE-UNBROADCAST": stuckBy("NONCE-UNBROADCAST"),
  "NONCE-FOREIGN": foreignNonces,
  "NONCE-DRIFT": nonceDrift,
  "NONCE-BACKLOG": pendingBacklog,
  "TX-PHANTOM": phantomTransactions,
  "TX-OLD": oldTransactions,
  "TX-REVERTS": recentReverts,
  "TX-EXPIRY": expiredTransactions,
  "BAL-BELOW-MIN": belowMinimum,
  "BAL-TOO-LOW": checkBalance,
  "BAL-RUNWAY": shortRunway,
};

/** The proposed cap, as a multiple of the market, and the minimum, as a number of transfers. */
const CAP_FACTOR = 4n;
const TRANSFERS = 100n;

function noCap({ relayer, read: { prices } }: RelayerFacts, place: Place): Found | undefined {
  if (policyCap(relayer) !== undefined) return undefined;
  const cap = "value" in prices ? typedAmount(roundUp(CAP_FACTOR * prices.value.fast), GAS_PRICE) : "PRICE";
  return {
    message: "no gas_price_cap: it pays whatever the market asks",
    ...policyRemedy(relayer, place, "gas_price_cap", cap),
  };
}

/** A bump is priced twice, a tenth higher each time, and not sent if the cap is below that (facts 15.1). */
function tightCap({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const cap = policyCap(relayer);
  if (cap === undefined || isUnraised(read)) return undefined;
  const { fast } = factValue(read.prices);
  const needed = leastReplacementPrice(leastReplacementPrice(fast < cap ? fast : cap));
  if (cap >= needed) return undefined;
  const proposed = typedAmount(roundUp(2n * (needed > fast ? needed : fast)), GAS_PRICE);
  const [has, asks] = [priceText(cap), priceText(fast)];
  const message = `gas_price_cap is ${has}, and the service offers ${asks} now: a bump would not be sent`;
  return { message, ...policyRemedy(relayer, place, "gas_price_cap", proposed) };
}

/** The service prices a replacement at the market there, and the node refuses it (facts 15.2, 15.3). */
function noBump({ relayer, read }: RelayerFacts): Found | undefined {
  if (!isUnraised(read)) return undefined;
  return {
    message: `on ${relayer.network} a bump or a cancellation is only sent if the market has risen by 10%`,
    advice: `On ${relayer.network}, send with --speed fastest: a waiting transaction can rarely be bumped.`,
  };
}

function isUnraised({ network }: RelayerFacts["read"]): boolean {
  const found = factValue(network);
  return found !== undefined && networkReplacesUnraised(networkFacts(found));
}

function noMinimum({ relayer, symbol, read }: RelayerFacts, place: Place): Found | undefined {
  const minimum = wireAmount(relayerPolicies(relayer).min_balance) ?? 1n;
  if (minimum > 1n) return undefined;
  const balance = "value" in read.status ? wireAmount(read.status.value.balance) : undefined;
  const proposed = "value" in read.prices ? roundUp(TRANSFERS * TRANSFER_GAS * read.prices.value.fast) : undefined;
  // A minimum above the balance would disable the relayer.
  const isSafe = proposed !== undefined && balance !== undefined && 2n * proposed <= balance;
  const amount = isSafe ? typedAmount(proposed, currencyOf("evm", symbol)) : "AMOUNT";
  const message = `min_balance is ${minimum} wei, so the relayer runs until it cannot pay for gas`;
  return { message, ...policyRemedy(relayer, place, "min_balance", amount) };
}

function anyReceiver({ relayer }: RelayerFacts, place: Place): Found | undefined {
  if (Array.isArray(relayerPolicies(relayer).whitelist_receivers)) return undefined;
  const message = "no whitelist_receivers: anyone who has the token can send its funds anywhere";
  return { message, ...policyRemedy(relayer, place, "whitelist_receivers", '["ADDRESS"]') };
}

function policyRemedy(relayer: Relayer, place: Place, key: string, value: string): Pick<Found, "remedy" | "advice"> {
  const found = fixRelayer(place, relayer, "--policy", `${key}=${value}`);
  return found ? { remedy: found } : { advice: ONCE_ENABLED };
}

function roundUp(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - 1));
  return ((amount + unit - 1n) / unit) * unit;
}
