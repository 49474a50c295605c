import { type Fees, membersOf } from "../../../chain/replacement/fees.ts";
import type { Obstacle, Prediction } from "../../../chain/replacement/prediction.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { GAS_PRICE } from "../../../contract/currency.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Target } from "../transaction-write.ts";

const NOUNS = { replace: "replacement", cancel: "cancellation" };

/** Returns why a change cannot work; undefined for what the service itself reports. */
export function obstacleWords({ change, cap }: Pick<Prediction, "change" | "cap">, obstacle: Obstacle) {
  if (obstacle.kind === "cap") {
    const { short, needed } = obstacle;
    const lacking = membersOf(short).map(([member, price]) => `${member} by ${priceText(price)}`);
    return `gas_price_cap is ${priceText(cap ?? 0n)}: services up to v1.8 accept this ${NOUNS[change]} and never broadcast it below ${priceText(needed)} (short in ${lacking.join(", ")})`;
  }
  if (obstacle.kind !== "market") return undefined;
  const { needed, market, short } = obstacle;
  const rises = membersOf(short).map(
    ([member]) => `${member} is ${priceText(market[member] ?? 0n)} and must reach ${priceText(needed[member] ?? 0n)}`,
  );
  return `on this network the service raises no price, so nodes refuse this ${NOUNS[change]} until the market has risen by 10 %: ${rises.join(", ")}`;
}

/**
 * Returns what helps, a line each.
 * @param session the flags that choose the server
 */
export function waysOutLines(
  { waysOut, change }: Prediction,
  { relayerId, id }: Target,
  session: readonly string[],
): string[] {
  const line = (...words: string[]) => commandLine(...session, ...words);
  const ways = waysOut.flatMap((each) => {
    switch (each.way) {
      case "raise-cap":
        return [`raise the cap: ${line("relayers", "update", relayerId, "--policy", `gas_price_cap=${each.cap}wei`)}`];
      case "speed":
        return [`replace at another speed: --speed ${each.speed}`];
      case "cancel":
        return [`cancel it, which is not capped: ${line("tx", "cancel", relayerId, id)}`];
      case "wait-for-market":
        return [`wait until the market reaches ${feesText(each.needed)}`];
      default:
        return [];
    }
  });
  return [...ways, `send the ${NOUNS[change]} anyway: --force`];
}

/** Returns the prices for the question. */
export function predictionRows({ response, broadcast, cap, baseFee }: Prediction): string[] {
  const rows = [
    ...(response ? [["  response", feesText(response)]] : []),
    ...(broadcast ? [["  broadcast", `${feesText(broadcast)} or more`]] : []),
    ...(cap === undefined ? [] : [["  cap", priceText(cap)]]),
    ...(baseFee === undefined ? [] : [["  base fee", priceText(baseFee)]]),
  ];
  return rows.length === 0 ? [] : aligned(rows);
}

function feesText(fees: Fees): string {
  const { gas_price, max_fee_per_gas, max_priority_fee_per_gas: tip } = fees;
  const most = priceText(gas_price ?? max_fee_per_gas ?? 0n);
  return tip === undefined ? most : `${most}, tip ${priceText(tip)}`;
}

function priceText(price: bigint): string {
  return formatAmount(price, GAS_PRICE);
}
