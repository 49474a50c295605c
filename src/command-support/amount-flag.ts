import { AmountError, readAmount, type TypedAmount } from "../contract/amount.ts";
import type { Currency } from "../contract/currency.ts";
import type { Problems } from "../contract/problems.ts";

export function amountFlag(
  problems: Problems,
  flag: string,
  text: string | undefined,
  currency: Currency,
): TypedAmount | undefined {
  if (text === undefined) return undefined;
  try {
    return readAmount(text, currency, "line");
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    problems.add(flag, error.message, text);
    return undefined;
  }
}
