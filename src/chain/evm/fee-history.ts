import { isNumber } from "../../contract/decimal.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { SPEEDS } from "../../contract/transaction/replacement-price.ts";
import { type ChainNode, type Reading, readFromNode } from "../node/node.ts";
import { parseQuantity, quantityText } from "./quantity.ts";

export type Speed = (typeof SPEEDS)[number];

/** The reward percentile of each speed, and the number of blocks, as the service requests them (facts 5.3). */
const PERCENTILES: Readonly<Record<Speed, number>> = { safeLow: 30, average: 50, fast: 85, fastest: 99 };
const BLOCKS = 4n;

/** Prices of recent blocks, in wei per gas. */
export interface FeeHistory {
  baseFee: bigint;
  nextBaseFee: bigint;
  /** The tips that each percentile paid, a value for each block, oldest first. */
  tips: Readonly<Record<Speed, readonly bigint[]>>;
  /** The number of the oldest block, if the node shows it. */
  oldest: bigint | undefined;
  /** The base fee of each block, and the share of its gas that was used, from 0 to 1, if the node shows it. */
  blocks: readonly { baseFee: bigint; used: number | undefined }[];
}

export async function readFeeHistory(node: ChainNode): Promise<Reading<FeeHistory>> {
  const percentiles = [...Object.values(PERCENTILES)].sort((one, other) => one - other);
  return await readFromNode(node, "eth_feeHistory", [quantityText(BLOCKS), "latest", percentiles], parseFeeHistory);
}

function parseFeeHistory(found: JsonValue): FeeHistory | undefined {
  if (!isJsonObject(found) || !Array.isArray(found.baseFeePerGas) || !Array.isArray(found.reward)) return undefined;
  const baseFees = found.baseFeePerGas.map(parseQuantity);
  const rows = found.reward.map((row) => (Array.isArray(row) ? row.map(parseQuantity) : []));
  const [baseFee, nextBaseFee] = baseFees.slice(-2);
  if (baseFee === undefined || nextBaseFee === undefined || baseFees.length !== rows.length + 1) return undefined;
  const column = (index: number) => rows.map((row) => row[index]).filter((tip) => tip !== undefined);
  const tips = { safeLow: column(0), average: column(1), fast: column(2), fastest: column(3) };
  const isWhole = Object.values(tips).every(({ length }) => length === rows.length);
  if (!isWhole || rows.length === 0) return undefined;
  const used = Array.isArray(found.gasUsedRatio) ? found.gasUsedRatio.map(parseShare) : [];
  const blocks = rows.map((_, index) => ({ baseFee: baseFees[index] ?? baseFee, used: used[index] }));
  return { baseFee, nextBaseFee, tips, oldest: parseQuantity(found.oldestBlock), blocks };
}

function parseShare(value: JsonValue): number | undefined {
  const found = isNumber(value) ? Number(value) : Number.NaN;
  return found >= 0 && found <= 1 ? found : undefined;
}

/** The percentage of the node's gas price that each speed pays on a legacy network (facts 5.3). */
const LEGACY_PERCENT: Readonly<Record<Speed, bigint>> = { safeLow: 100n, average: 125n, fast: 150n, fastest: 200n };

/** Returns the service's price for a legacy transaction of a speed, before the relayer's cap (facts 5.3). */
export function legacyMarketPrice(gasPrice: bigint, speed: Speed): bigint {
  return (gasPrice * LEGACY_PERCENT[speed]) / 100n;
}

/** A price of type 2, in wei per gas. */
interface Price {
  maxFee: bigint;
  tip: bigint;
}

const NANO = 1_000_000_000n;
const GWEI = 1e9;
/** How the base fee can rise: an eighth a block, for the blocks of 90 seconds, at most tenfold (facts 15.12). */
const RISE = 1.125;
const WINDOW = 90_000;
const MOST_RISE = 10n * NANO;

/** Returns the service's price for a transaction of a speed, before the cap (facts 5.3, 15.12). */
export function marketPrice(history: Pick<FeeHistory, "baseFee" | "tips">, speed: Speed, blockTime: number): Price {
  const tip = marketTip(history, speed);
  return { maxFee: marketMaxFee(history.baseFee, tip, blockTime), tip };
}

/** Returns the mean tip of the blocks that paid any, or the percentile's share of 1 gwei, as a double. */
export function marketTip({ tips }: Pick<FeeHistory, "tips">, speed: Speed): bigint {
  const paid = tips[speed].filter((tip) => tip > 0n).map((tip) => Number(tip) / GWEI);
  const mean = paid.length === 0 ? PERCENTILES[speed] / 100 : paid.reduce((sum, tip) => sum + tip, 0) / paid.length;
  return BigInt(Math.trunc(mean * GWEI));
}

/** Returns the highest base fee after 90 seconds, plus the tip. */
export function marketMaxFee(baseFee: bigint, tip: bigint, blockTime: number): bigint {
  return (baseFee * riseIn(Math.floor(WINDOW / Math.max(blockTime, 1)))) / NANO + tip;
}

/** Returns how much the base fee can rise in this many blocks, in billionths, through a double like the service. */
function riseIn(blocks: number): bigint {
  let rise = 1;
  for (let block = 0; block < blocks && rise < 10; block++) rise *= RISE;
  const billionths = BigInt(Math.trunc(rise * GWEI));
  return billionths < MOST_RISE ? billionths : MOST_RISE;
}
