import { isNumber } from "../../contract/decimal.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { SPEEDS } from "../../contract/transaction/replacement-price.ts";
import { type ChainNode, type Reading, readFromNode } from "../node/node.ts";
import { quantity, quantityText } from "./quantity.ts";

export type Speed = (typeof SPEEDS)[number];

/** The reward percentile of each speed, and the number of blocks, as the service requests them (facts 5.3). */
export const PERCENTILES: Readonly<Record<Speed, number>> = { safeLow: 30, average: 50, fast: 85, fastest: 99 };
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
  const baseFees = found.baseFeePerGas.map(quantity);
  const rows = found.reward.map((row) => (Array.isArray(row) ? row.map(quantity) : []));
  const [baseFee, nextBaseFee] = baseFees.slice(-2);
  if (baseFee === undefined || nextBaseFee === undefined || baseFees.length !== rows.length + 1) return undefined;
  const column = (index: number) => rows.map((row) => row[index]).filter((tip) => tip !== undefined);
  const tips = { safeLow: column(0), average: column(1), fast: column(2), fastest: column(3) };
  const isWhole = Object.values(tips).every(({ length }) => length === rows.length);
  if (!isWhole || rows.length === 0) return undefined;
  const used = Array.isArray(found.gasUsedRatio) ? found.gasUsedRatio.map(share) : [];
  const blocks = rows.map((_, index) => ({ baseFee: baseFees[index] ?? baseFee, used: used[index] }));
  return { baseFee, nextBaseFee, tips, oldest: quantity(found.oldestBlock), blocks };
}

function share(value: JsonValue): number | undefined {
  const found = isNumber(value) ? Number(value) : Number.NaN;
  return found >= 0 && found <= 1 ? found : undefined;
}
