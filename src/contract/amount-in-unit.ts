import {
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
  return format(amount, currencyIn(unit, symbol));
}

function currencyIn(unit: BaseUnit, symbol: string): Currency {
  return [LAMPORTS, STROOPS].find(({ base }) => base === unit) ?? { base: "wei", symbol };
}
