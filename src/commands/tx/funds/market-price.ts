import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { AskNode } from "../on-chain/call-node.ts";

/** The reward percentile of each speed, and its percentage of the gas price on a legacy network (facts 5.3). */
const SPEEDS: Readonly<Record<string, { percentile: number; percent: bigint }>> = {
  safeLow: { percentile: 30, percent: 100n },
  average: { percentile: 50, percent: 125n },
  fast: { percentile: 85, percent: 150n },
  fastest: { percentile: 99, percent: 200n },
};
const BLOCKS = "0x4";

/**
 * Returns the current gas price at a speed, as the service calculates it (facts 5.3, 15.12): base fee and tip, at most
 * the relayer's cap. Undefined if the node does not report it.
 */
export async function marketPrice(request: AskNode, speed: string, relayer: Relayer): Promise<bigint | undefined> {
  const known = SPEEDS[speed];
  const { eip1559_pricing: isDynamic, gas_price_cap: cap } = isJsonObject(relayer.policies) ? relayer.policies : {};
  if (!known) return undefined;
  const price =
    isDynamic === false
      ? scaled(wireAmount(await request("eth_gasPrice", [])), known.percent)
      : dynamicPrice(await request("eth_feeHistory", [BLOCKS, "latest", [known.percentile]]));
  const most = wireAmount(cap);
  return price !== undefined && most !== undefined && most < price ? most : price;
}

function scaled(price: bigint | undefined, percent: bigint): bigint | undefined {
  return price === undefined ? undefined : (price * percent) / 100n;
}

/** Returns the base fee of the next block, plus the mean of the tips. */
function dynamicPrice(history: JsonValue): bigint | undefined {
  const { baseFeePerGas: fees, reward } = isJsonObject(history) ? history : {};
  const base = Array.isArray(fees) ? wireAmount(fees.at(-1)) : undefined;
  const tips = (Array.isArray(reward) ? reward : []).map((tip) =>
    Array.isArray(tip) ? wireAmount(tip[0]) : undefined,
  );
  if (base === undefined || tips.length === 0 || !tips.every((tip) => tip !== undefined)) return undefined;
  return base + tips.reduce((sum, tip) => sum + tip, 0n) / BigInt(tips.length);
}
