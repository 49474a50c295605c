import { networkFacts, replacesUnraised } from "../../chain/network.ts";
import { findNodeSetting } from "../../chain/node/late-node.ts";
import { runwayText } from "../../chain/runway/runway.ts";
import { nodeVariable } from "../../config/nodes.ts";
import { ageText } from "../../contract/age-text.ts";
import { currencyOf, formatAmount, GAS_PRICE, priceText, typedAmount, wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { capOf, leastBalance, policiesOf } from "../../contract/relayer-policies.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isMasked, maskRpcUrl } from "../../contract/rpc-url.ts";
import { leastReplacementPrice, TRANSFER_GAS } from "../../contract/transaction/replacement.ts";
import { describeRecovery } from "../../relayer-state/disabled.ts";
import { type RelayerCode, RUNWAY_DAYS } from "../codes.ts";
import { type RelayerFacts, valueIn } from "../facts.ts";
import type { Checked, Found } from "../finding.ts";
import { change, hasNotification, ONCE_ENABLED, type Place, proposedNotification, remedy } from "../place.ts";
import {
  expiredTransactions,
  foreignNonces,
  nonceDrift,
  nonceGaps,
  oldTransactions,
  pendingBacklog,
  phantomTransactions,
  recentReverts,
  stuckBy,
} from "./queue-checks.ts";

function disabled({ relayer, read: { status } }: RelayerFacts, { flags }: Place): Found | undefined {
  if (relayer.system_disabled !== true) return undefined;
  const isRead = "value" in status && wireAmount(status.value.balance) !== undefined;
  const { why, next, remedy: words } = describeRecovery(relayer, flags, isRead);
  // The advice comes last.
  const [advice, ...more] = [...next].reverse().map((text) => sentence(text, relayer));
  if (words)
    return {
      message: why,
      remedy: { argv: words, isComplete: false },
      more: [...next.map((text) => sentence(text, relayer)), REFUSED],
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
function sentence(text: string, { address }: Pick<Relayer, "address">): string {
  const end = address && text.endsWith(address) ? " up to its minimum." : ".";
  return text.slice(0, 1).toUpperCase() + text.slice(1) + end;
}

function paused({ relayer, read: { pause } }: RelayerFacts, place: Place): Found | undefined {
  if (relayer.paused !== true) return undefined;
  const pauser = "value" in pause ? pause.value : undefined;
  return {
    message: pauser ? `paused by ${pauser.by}` : "paused, and the journal here does not show by whom",
    since: pauser?.since,
    ...(relayer.system_disabled === true
      ? { advice: ONCE_ENABLED }
      : { remedy: remedy(place, "relayers", "resume", { id: relayer.id }) }),
  };
}

/** A relayer without a notification gets the most common notification. */
function noNotification({ relayer }: RelayerFacts, place: Place): Found | undefined {
  if (hasNotification(relayer)) return undefined;
  const message = "no notification is set: failures go unreported";
  if (relayer.system_disabled === true) return { message, advice: ONCE_ENABLED };
  if (!place.notifications) return { message, advice: "The notifications cannot be listed now." };
  const usual = proposedNotification(place);
  if (usual !== undefined) return { message, remedy: change(place, relayer, ...listFlags("--notification-id", usual)) };
  return { message, remedy: remedy(place, "notifications", "create", "--type", "webhook", "--url", "URL") };
}

function listFlags(flag: string, value: string): string[] {
  return value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
}

/** Counts a mask that was written back, unless the service shows other URLs whole (facts 4.4, 8.2). */
function maskedUrl({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const own = urlsOf(relayer.custom_rpc_urls);
  const url = own.find(isMasked);
  const showsWhole = ({ custom_rpc_urls: urls }: Relayer) => urlsOf(urls).some((each) => maskRpcUrl(each) !== each);
  if (url !== undefined && place.relayers.some(showsWhole)) {
    const help = change(place, relayer, "--rpc-url", "URL");
    return { message: `${url} is stored with its mask`, ...(help ? { remedy: help } : { advice: ONCE_ENABLED }) };
  }
  const network = valueIn(read.network);
  const [shared] = own.length > 0 ? [] : urlsOf(network?.rpc_urls).filter(isMasked);
  if (shared === undefined || !network) return undefined;
  return {
    message: `${shared} of its network is stored with its mask`,
    remedy: remedy(place, "networks", "update", { id: network.id }, "--rpc-url", "URL"),
  };
}

export function urlsOf(entries: unknown): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: string | JsonObject | null) => {
    const url = typeof entry === "string" ? entry : entry?.url;
    return typeof url === "string" ? [url] : [];
  });
}

/** Seconds that a balance should last. */
const LEAST_RUNWAY = BigInt(RUNWAY_DAYS) * 86_400n;

function nodeDown(facts: RelayerFacts, place: Place): Found | undefined {
  const { silence } = valueIn(facts.read.node);
  if (silence === undefined) return undefined;
  return { message: `${nameNode(facts)} does not respond: ${silence}`, ...otherNode(facts, place) };
}

function wrongChain(facts: RelayerFacts, place: Place): Found | undefined {
  const { wrongChain: message } = valueIn(facts.read.node);
  return message === undefined ? undefined : { message, ...otherNode(facts, place) };
}

function nodeBehind(facts: RelayerFacts, place: Place): Found | undefined {
  const { delay, blockTime } = valueIn(facts.read.node);
  if (delay === undefined) return undefined;
  const message = `the newest block of ${nameNode(facts)} is ${ageText(delay)} old; the network has one every ${blockTime / 1000} s`;
  return { message, since: place.now - delay, ...otherNode(facts, place) };
}

function nameNode({ read }: RelayerFacts): string {
  return valueIn(read.node).isOwn ? "your own node" : "its node";
}

function otherNode({ relayer, read }: RelayerFacts, place: Place): Pick<Found, "remedy" | "advice"> {
  const { network } = relayer;
  if (valueIn(read.node).isOwn && typeof network === "string")
    return {
      advice: `Set another URL in ${nodeVariable(network)}, or with relayctl context set CONTEXT --node ${network}=URL.`,
    };
  const found = findNodeSetting(relayer);
  if (!found) return { advice: ONCE_ENABLED };
  return { remedy: remedy(place, found.noun, "update", { id: found.id }, "--rpc-url", "URL") };
}

function belowMinimum({ relayer, symbol, read }: RelayerFacts): Found | undefined {
  const { network_type: kind, address } = relayer;
  const balance = wireAmount(valueIn(read.status).balance);
  const least = leastBalance(relayer);
  if (balance === undefined || balance >= least || !isNetworkKind(kind)) return undefined;
  const show = (amount: bigint) => formatAmount(amount, currencyOf(kind, symbol));
  const message = `its balance of ${show(balance)} is below min_balance, ${show(least)}`;
  return { message, advice: fundAdvice(address, `with at least ${show(least - balance)}`) };
}

function fundAdvice(address: Relayer["address"], how: string): string {
  return `Fund ${address ?? "its address"} ${how}.`;
}

function tooLow({ relayer, symbol, read }: RelayerFacts): Found | undefined {
  const balance = wireAmount(valueIn(read.status).balance);
  const cost = TRANSFER_GAS * valueIn(read.prices).fast;
  if (balance === undefined || balance >= cost) return undefined;
  const show = (amount: bigint) => formatAmount(amount, currencyOf("evm", symbol));
  const message = `its balance of ${show(balance)} cannot pay for a transfer now, about ${show(cost)}`;
  return { message, advice: fundAdvice(relayer.address, `with at least ${show(cost - balance)}`) };
}

function shortRunway({ relayer, read }: RelayerFacts): Found | undefined {
  const runway = valueIn(read.runway);
  if (runway.seconds === undefined || runway.seconds >= LEAST_RUNWAY) return undefined;
  const message = `its balance lasts ${runwayText(runway)}`;
  return { message, advice: fundAdvice(relayer.address, "soon") };
}

/** A relayer's checks, which only run if their facts were read. */
export const relayerChecks: Readonly<Record<RelayerCode, (facts: RelayerFacts, place: Place) => Checked>> = {
  "REL-DISABLED": disabled,
  "REL-PAUSED": paused,
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
  "BAL-TOO-LOW": tooLow,
  "BAL-RUNWAY": shortRunway,
};

/** The proposed cap, as a multiple of the market, and the minimum, as a number of transfers. */
const CAP_FACTOR = 4n;
const TRANSFERS = 100n;

function noCap({ relayer, read: { prices } }: RelayerFacts, place: Place): Found | undefined {
  if (capOf(relayer) !== undefined) return undefined;
  const cap = "value" in prices ? typedAmount(rounded(CAP_FACTOR * prices.value.fast), GAS_PRICE) : "PRICE";
  return {
    message: "no gas_price_cap: it pays whatever the market asks",
    ...policy(relayer, place, "gas_price_cap", cap),
  };
}

/** A bump is priced twice, a tenth higher each time, and not sent if the cap is below that (facts 15.1). */
function tightCap({ relayer, read }: RelayerFacts, place: Place): Found | undefined {
  const cap = capOf(relayer);
  if (cap === undefined || isUnraised(read)) return undefined;
  const { fast } = valueIn(read.prices);
  const needed = leastReplacementPrice(leastReplacementPrice(fast < cap ? fast : cap));
  if (cap >= needed) return undefined;
  const proposed = typedAmount(rounded(2n * (needed > fast ? needed : fast)), GAS_PRICE);
  const [has, asks] = [priceText(cap), priceText(fast)];
  const message = `gas_price_cap is ${has}, and the service offers ${asks} now: a bump would not be sent`;
  return { message, ...policy(relayer, place, "gas_price_cap", proposed) };
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
  const found = valueIn(network);
  return found !== undefined && replacesUnraised(networkFacts(found));
}

function noMinimum({ relayer, symbol, read }: RelayerFacts, place: Place): Found | undefined {
  if ((wireAmount(policiesOf(relayer).min_balance) ?? 1n) > 1n) return undefined;
  const balance = "value" in read.status ? wireAmount(read.status.value.balance) : undefined;
  const proposed = "value" in read.prices ? rounded(TRANSFERS * TRANSFER_GAS * read.prices.value.fast) : undefined;
  // A minimum above the balance would disable the relayer.
  const isSafe = proposed !== undefined && balance !== undefined && 2n * proposed <= balance;
  const amount = isSafe ? typedAmount(proposed, currencyOf("evm", symbol)) : "AMOUNT";
  const message = "min_balance is 1 wei, so the relayer runs until it cannot pay for gas";
  return { message, ...policy(relayer, place, "min_balance", amount) };
}

function anyReceiver({ relayer }: RelayerFacts, place: Place): Found | undefined {
  if (Array.isArray(policiesOf(relayer).whitelist_receivers)) return undefined;
  const message = "no whitelist_receivers: anyone who has the token can send its funds anywhere";
  return { message, ...policy(relayer, place, "whitelist_receivers", '["ADDRESS"]') };
}

function policy(relayer: Relayer, place: Place, key: string, value: string): Pick<Found, "remedy" | "advice"> {
  const found = change(place, relayer, "--policy", `${key}=${value}`);
  return found ? { remedy: found } : { advice: ONCE_ENABLED };
}

function rounded(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - 1));
  return ((amount + unit - 1n) / unit) * unit;
}
