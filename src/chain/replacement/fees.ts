import { wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";
import { leastReplacementPrice, TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { type FeeHistory, legacyMarketPrice, marketPrice, type Speed } from "../evm/fee-history.ts";
import type { ChainTransaction } from "../evm/read-evm.ts";

export type FeeMember = "gas_price" | "max_fee_per_gas" | "max_priority_fee_per_gas";

/** The prices of a transaction in wei per gas: both members of type 2, or a legacy transaction's. */
export type Fees = Readonly<Partial<Record<FeeMember, bigint>>>;

/** Returns the service's price for a speed now, before the relayer's cap. */
export type Market = (speed: Speed) => Fees;

/** Returns the market of a relayer that prices type 2 (facts 15.12). @param blockTime milliseconds on average */
export function feeMarket(history: Pick<FeeHistory, "baseFee" | "tips">, blockTime: number): Market {
  return (speed) => {
    const { maxFee, tip } = marketPrice(history, speed, blockTime);
    return { max_fee_per_gas: maxFee, max_priority_fee_per_gas: tip };
  };
}

/** Returns the market of a relayer that prices legacy transactions (facts 5.3). */
export function legacyFeeMarket(gasPrice: bigint): Market {
  return (speed) => ({ gas_price: legacyMarketPrice(gasPrice, speed) });
}

export function feesOf(record: Transaction): Fees | undefined {
  const gas_price = wireAmount(record.gas_price);
  if (gas_price !== undefined) return { gas_price };
  const max_fee_per_gas = wireAmount(record.max_fee_per_gas);
  const max_priority_fee_per_gas = wireAmount(record.max_priority_fee_per_gas);
  if (max_fee_per_gas === undefined || max_priority_fee_per_gas === undefined) return undefined;
  return { max_fee_per_gas, max_priority_fee_per_gas };
}

/** Returns the price of a version that a node shows, if it shows one. */
export function feesInPool({ maxFee, maxTip, gasPrice }: ChainTransaction): Fees | undefined {
  if (maxFee !== undefined && maxTip !== undefined)
    return { max_fee_per_gas: maxFee, max_priority_fee_per_gas: maxTip };
  return gasPrice === undefined ? undefined : { gas_price: gasPrice };
}

export function feeList(fees: Fees): [member: FeeMember, price: bigint][] {
  return Object.entries(fees) as [FeeMember, bigint][];
}

export function mostFeePerGas({ gas_price, max_fee_per_gas }: Fees): bigint {
  return gas_price ?? max_fee_per_gas ?? 0n;
}

/** Returns the most that a version costs, in wei. Without fields, it is a no-op. */
export function costAtFees(fields: { [field: string]: JsonValue | undefined }, fees: Fees): bigint {
  return (wireAmount(fields.gas_limit) ?? TRANSFER_GAS) * mostFeePerGas(fees) + (wireAmount(fields.value) ?? 0n);
}

/** Returns the least price that replaces another (facts 15.1). */
export function raisedFees(fees: Fees): Fees {
  return mapFees(fees, (price) => leastReplacementPrice(price));
}

export function capFees(fees: Fees, cap: bigint | undefined): Fees {
  return cap === undefined ? fees : mapFees(fees, (price) => (price < cap ? price : cap));
}

export function higherFees(fees: Fees, others: Fees | undefined): Fees {
  return mapFees(fees, (price, member) => {
    const other = others?.[member];
    return other !== undefined && other > price ? other : price;
  });
}

export function highestFee(fees: Fees): bigint {
  return feeList(fees).reduce((most, [, price]) => (price > most ? price : most), 0n);
}

export function feesShortOf(fees: Fees, least: Fees): Fees | undefined {
  const short = feeList(least).flatMap(([member, price]) => {
    const missing = price - (fees[member] ?? 0n);
    return missing > 0n ? [[member, missing]] : [];
  });
  return short.length === 0 ? undefined : Object.fromEntries(short);
}

function mapFees(fees: Fees, change: (price: bigint, member: FeeMember) => bigint): Fees {
  return Object.fromEntries(feeList(fees).map(([member, price]) => [member, change(price, member)]));
}
