import { stuckWaitingText } from "../../../chain/queue/stuck-words.ts";
import { type Fees, feeList, mostFeePerGas } from "../../../chain/replacement/fees.ts";
import type { Obstacle, Prediction, WayOut } from "../../../chain/replacement/prediction.ts";
import { type Currency, formatAmount, priceText, suggestedPrice, WEI } from "../../../contract/amount.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Row } from "../../../message.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { alignWidths } from "../../../terminal/width.ts";
import { NOUNS } from "../../../views/transaction/hashes.ts";
import type { TxTarget } from "../transaction-write.ts";

/** Returns why a change can't work, unless the service reports it. @param coin of the network */
export function predictionObstacleWords(
  { change, cap, now }: Pick<Prediction, "change" | "cap"> & { now?: Fees | undefined },
  obstacle: Obstacle,
  coin: Currency = WEI,
): string | undefined {
  const noun = NOUNS[change];
  switch (obstacle.kind) {
    case "over":
      return undefined;
    case "unpriced":
      return now ? undefined : "the transaction has no price yet, and services up to v1.8 cannot replace it before";
    case "cap": {
      const members = feeList(obstacle.short).map(([member]) => member);
      return `gas_price_cap is ${priceText(cap ?? 0n)}: services up to v1.8 accept this ${noun} and never broadcast it below ${priceText(obstacle.needed)} (for ${members.join(" and ")})`;
    }
    case "market": {
      const { needed, market, short } = obstacle;
      const rises = feeList(short).map(
        ([member]) =>
          `${member} is ${priceText(market[member] ?? 0n)} and must reach ${priceText(needed[member] ?? 0n)}`,
      );
      return `on this network the service raises no price, so nodes refuse this ${noun} until the market has risen by 10%: ${rises.join(", ")}`;
    }
    case "balance": {
      const { needed, short } = obstacle;
      return `the relayer's balance is ${formatAmount(needed - short, coin)}, and nodes refuse this ${noun} below ${formatAmount(needed, coin)}`;
    }
  }
}

export function wayOutTexts(
  { waysOut, change }: Prediction,
  { relayerId, id }: TxTarget,
  session: readonly string[],
  coin: Currency,
): string[] {
  const line = (...words: string[]) => commandLine(...session, ...words);
  const isCapped = waysOut.some(({ way }) => way === "raise-cap");
  const wayText = (way: WayOut): string => {
    switch (way.way) {
      case "raise-cap":
        return `raise the cap: ${line("relayers", "update", relayerId, "--policy", `gas_price_cap=${suggestedPrice(way.cap)}`)}`;
      case "speed":
        return `use another speed: --speed ${way.speed}`;
      case "cancel":
        return `cancel it${isCapped ? ", which is not capped" : ""}: ${line("tx", "cancel", relayerId, id)}`;
      case "wait-for-market":
        return `wait until the market reaches ${predictedFeesText(way.needed)}`;
      case "wait-for-price":
        return `wait until it is broadcast: ${line("tx", "wait", relayerId, id, "--for", "broadcast")}`;
      case "fund":
        return `send ${formatAmount(way.amount, coin)} or more to the relayer's address`;
    }
  };
  return [...waysOut.map(wayText), `send the ${NOUNS[change]} anyway: --force`];
}

interface PredictionShown {
  after?: bigint | undefined;
  /** Whether rows with old and new values contain the fee. */
  isCompared: boolean;
}

export function predictionRows(prediction: Prediction, { after, isCompared }: PredictionShown): Row[] {
  const { change, now, response, broadcast, cap, baseFee } = prediction;
  const rows = [
    ...(now && !isCompared ? [["fee now", predictedFeesText(now)]] : []),
    ...predictedFeeRows(response, isCompared ? undefined : broadcast, true),
    ...(cap === undefined || change === "cancel" ? [] : [["cap", priceText(cap)]]),
    ...(baseFee === undefined ? [] : [["base fee", priceText(baseFee)]]),
    ...(after === undefined ? [] : [["queue", stuckWaitingText(after)]]),
  ];
  return alignWidths(rows);
}

export function predictedFeeRows(quoted: Fees | undefined, broadcast: Fees | undefined, isExact: boolean): string[][] {
  const least = broadcast ?? quoted;
  if (!least) return [];
  const first = broadcast && quoted ? ` (the service quotes ${priceText(mostFeePerGas(quoted))} first)` : "";
  return [["new fee", broadcast || !isExact ? `${minimumFeesText(least)}${first}` : predictedFeesText(least)]];
}

export function minimumFeesText(broadcast: Fees): string {
  return `at least ${predictedFeesText(broadcast)}`;
}

export function predictedFeesText(fees: Fees): string {
  const { gas_price, max_fee_per_gas, max_priority_fee_per_gas: tip } = fees;
  const most = priceText(gas_price ?? max_fee_per_gas ?? 0n);
  return tip === undefined ? most : `${most}, tip ${priceText(tip)}`;
}

export interface ForceFlag {
  force?: boolean;
}

export const FORCE = ["--force", "Send the request even if the service would never broadcast the result"] as const;

interface Refused {
  prediction: Prediction;
  obstacle: Obstacle;
  coin: Currency;
  target: TxTarget;
  /** Whether it is only warned of: with `--force`, or if service or network are unknown. */
  isPassed: boolean;
}

/** Refuses what can't work, with a fix. @throws RelayctlError conflict */
export async function refusePredicted(
  { flags, say }: Session,
  { prediction, obstacle, coin, target, isPassed }: Refused,
): Promise<void> {
  const words = predictionObstacleWords(prediction, obstacle, coin);
  if (words === undefined) return;
  if (isPassed) return await say({ warning: words });
  const because = ["nothing was sent", ...wayOutTexts(prediction, target, flags, coin)];
  throw new RelayctlError("conflict", words, { because, retryable: false });
}
