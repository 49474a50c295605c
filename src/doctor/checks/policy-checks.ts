import { networkFacts, replacesUnraised } from "../../chain/network.ts";
import { formatAmount, typedAmount, wireAmount } from "../../contract/amount.ts";
import { currencyOf, GAS_PRICE } from "../../contract/currency.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { leastReplacementPrice, TRANSFER_GAS } from "../../contract/transaction/replacement.ts";
import { known, type RelayerFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import { change, ONCE_ENABLED, type Place } from "../place.ts";

/** The cap that is proposed, as a multiple of the market, and the minimum, as a number of transfers. */
const CAP_FACTOR = 4n;
const TRANSFERS = 100n;

function buildPolicies({ policies }: Relayer): JsonObject {
  return isJsonObject(policies) ? policies : {};
}

export function noCap({ relayer, read: { prices } }: RelayerFacts, place: Place): Found[] {
  if (wireAmount(buildPolicies(relayer).gas_price_cap) !== undefined) return [];
  const cap = "value" in prices ? typedAmount(rounded(CAP_FACTOR * prices.value.fast), GAS_PRICE) : "PRICE";
  return [
    { message: "no gas_price_cap: it pays whatever the market asks", ...policy(relayer, place, "gas_price_cap", cap) },
  ];
}

/** A bump is priced twice, a tenth higher each time, and not sent if the cap is below that (facts 15.1). */
export function tightCap({ relayer, read }: RelayerFacts, place: Place): Found[] {
  const cap = wireAmount(buildPolicies(relayer).gas_price_cap);
  if (cap === undefined || isUnraised(read)) return [];
  const { fast } = known(read.prices);
  const needed = leastReplacementPrice(leastReplacementPrice(fast < cap ? fast : cap));
  if (cap >= needed) return [];
  const proposed = typedAmount(rounded(2n * (needed > fast ? needed : fast)), GAS_PRICE);
  const [has, asks] = [formatAmount(cap, GAS_PRICE), formatAmount(fast, GAS_PRICE)];
  const message = `gas_price_cap is ${has}, and the service offers ${asks} now: a bump would not be sent`;
  return [{ message, ...policy(relayer, place, "gas_price_cap", proposed) }];
}

/** The service prices a replacement at the market there, and the node refuses it (facts 15.2, 15.3). */
export function noBump({ relayer, read }: RelayerFacts): Found[] {
  if (!isUnraised(read)) return [];
  return [
    {
      message: `on ${relayer.network} a bump or a cancellation is only sent if the market has risen by 10 %`,
      advice: "Send at speed fastest there: what waits can hardly be helped.",
    },
  ];
}

function isUnraised({ network }: RelayerFacts["read"]): boolean {
  const found = known(network);
  return found !== undefined && replacesUnraised(networkFacts(found));
}

export function noMinimum({ relayer, symbol, read }: RelayerFacts, place: Place): Found[] {
  if ((wireAmount(buildPolicies(relayer).min_balance) ?? 1n) > 1n) return [];
  const balance = "value" in read.status ? wireAmount(read.status.value.balance) : undefined;
  const proposed = "value" in read.prices ? rounded(TRANSFERS * TRANSFER_GAS * read.prices.value.fast) : undefined;
  // A minimum above the balance would disable the relayer.
  const isSafe = proposed !== undefined && balance !== undefined && 2n * proposed <= balance;
  const amount = isSafe ? typedAmount(proposed, currencyOf("evm", symbol)) : "AMOUNT";
  const message = "min_balance is 1 wei: it stays active until it can pay for nothing";
  return [{ message, ...policy(relayer, place, "min_balance", amount) }];
}

export function anyReceiver({ relayer }: RelayerFacts, place: Place): Found[] {
  if (Array.isArray(buildPolicies(relayer).whitelist_receivers)) return [];
  const message = "no whitelist_receivers: whoever has the token can send its funds anywhere";
  return [{ message, ...policy(relayer, place, "whitelist_receivers", '["ADDRESS"]') }];
}

function policy(relayer: Relayer, place: Place, key: string, value: string): Pick<Found, "remedy" | "advice"> {
  const found = change(place, relayer, "--policy", `${key}=${value}`);
  return found ? { remedy: found } : { advice: ONCE_ENABLED };
}

/** Returns the next amount with one significant digit. */
function rounded(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - 1));
  return ((amount + unit - 1n) / unit) * unit;
}
