import { formatAmount, wireAmount } from "../contract/amount.ts";
import type { Currency } from "../contract/currency.ts";
import type { JsonValue } from "../contract/json.ts";
import { valueText } from "./select/path.ts";

/**
 * An amount from the wire for a person: `80 gwei (80000000000)`, readable first and every digit after it. What is no
 * amount is shown as it came, absent and null as nothing.
 */
export function showAmount(value: JsonValue | undefined, currency: Currency): string {
  const amount = wireAmount(value);
  if (amount === undefined) return valueText(value);
  const readable = formatAmount(amount, currency);
  return readable.startsWith(`${amount} `) ? readable : `${readable} (${amount})`;
}
