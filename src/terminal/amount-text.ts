import { formatAmount, wireAmount } from "../contract/amount.ts";
import type { Currency } from "../contract/currency.ts";
import type { JsonValue } from "../contract/json.ts";
import { valueText } from "./select/path.ts";

/**
 * Formats an amount from the service: `80 gwei (80000000000)`, readable first, then every digit. Returns a value that
 * is not an amount unchanged, and an empty text for absent and null.
 */
export function showAmount(value: JsonValue | undefined, currency: Currency): string {
  const amount = wireAmount(value);
  if (amount === undefined) return valueText(value);
  const readable = formatAmount(amount, currency);
  return readable.startsWith(`${amount} `) ? readable : `${readable} (${amount})`;
}
