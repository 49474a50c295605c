import {
  AmountError,
  type BaseUnit,
  type Currency,
  formatAmount as format,
  LAMPORTS,
  parseAmount as parse,
  STROOPS,
} from "./amount.ts";

/** Parses `1.5eth`, `80gwei`, digits (the smallest unit), or `0x` digits. @param symbol on EVM @throws AmountError */
export function parseAmount(text: string, unit: BaseUnit, symbol = "ETH"): bigint {
  return parse(text, currencyIn(unit, symbol));
}

export function formatAmount(amount: bigint, unit: BaseUnit, symbol = "ETH"): string {
  return format(BigInt(amount), currencyIn(unit, symbol));
}

function currencyIn(unit: BaseUnit, symbol: string): Currency {
  const found = [{ base: "wei", symbol } as const, LAMPORTS, STROOPS].find(({ base }) => base === unit);
  if (!found) throw new AmountError(`the unit must be wei, lamport, or stroop, not ${unit}`);
  return found;
}
