import { contractCallOutcome } from "./contracts.ts";
import { marketGasEstimate } from "./market.ts";
import { type ChainRules, type SimChain, type SimMined, type SimTransaction, simChainTime } from "./sim-chain.ts";

/** Returns how much the balance of an address changed up to a block, in wei: by values, and by fees that it paid. */
export function balanceChangedByPayments(chain: SimChain, rules: ChainRules, address: string, block: number): bigint {
  const since = chain.mined.filter((each) => each.block > chain.opening && each.block <= block);
  return since.reduce((sum, each) => sum + received(each, address) - paid(rules, each, address), 0n);
}

function received(transaction: SimMined, address: string): bigint {
  const isReceiver = transaction.to?.toLowerCase() === address && !contractCallOutcome(transaction).isReverted;
  return isReceiver ? transaction.value : 0n;
}

function paid(rules: ChainRules, transaction: SimMined, address: string): bigint {
  if (transaction.from !== address) return 0n;
  const value = contractCallOutcome(transaction).isReverted ? 0n : transaction.value;
  return value + gasUsed(transaction) * pricePaid(rules, transaction);
}

export function pricePaid({ market, blockTime }: ChainRules, { fee, tip, isLegacy, block }: SimMined): bigint {
  if (isLegacy) return fee;
  const price = market.at(simChainTime(block, blockTime)).baseFee + tip;
  return price < fee ? price : fee;
}

/** Returns the gas that a transaction uses: nothing runs here, so it is the estimate. Unused gas costs nothing (facts 15.11). */
export function gasUsed({ gas, data }: Pick<SimTransaction, "gas" | "data">): bigint {
  const needed = BigInt(marketGasEstimate({ data }));
  return needed < gas ? needed : gas;
}
