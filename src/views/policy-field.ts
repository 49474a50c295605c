import { type Currency, formatAmount, LAMPORTS, STROOPS, wireAmount } from "../contract/amount.ts";
import { groupDigits } from "../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "../contract/json.ts";
import { type PolicyField, policyFieldAt, policyFieldCurrency, policyFieldsOf } from "../contract/policy.ts";
import type { Relayer, RelayerFields } from "../contract/resources/relayer.ts";
import { pathValueText } from "../terminal/select/path.ts";
import { type BlockLine, type Cell, fieldsView, toCell, viewLines } from "../terminal/view.ts";

/** The cost of a transaction: the fields of Solana's response, then Stellar's (facts 3.5). */
export const quoteView = fieldsView(
  "quote",
  ["estimated_fee", "fee_in_token_ui", "fee_in_token", "max_fee_in_token_ui", "max_fee_in_token", "conversion_rate"],
  policyCell,
);

/** A transaction for a user to sign: the same for both kinds (facts 3.5). */
export const builtView = fieldsView(
  "built transaction",
  [
    "fee_token",
    "fee_in_spl",
    "fee_in_token_ui",
    "fee_in_token",
    "max_fee_in_token_ui",
    "max_fee_in_token",
    "fee_in_lamports",
    "fee_in_stroops",
    "valid_until",
    "valid_until_blockheight",
    "transaction",
    "user_auth_entry",
  ],
  policyCell,
);

function policyCell(field: string, item: JsonObject): Cell | undefined {
  const value = item[field];
  if (value === null || value === undefined) return undefined;
  const currency = { fee_in_lamports: LAMPORTS, fee_in_stroops: STROOPS }[field];
  return currency ? { text: showAmount(value, currency) } : toCell(value);
}

export type Kinded = Pick<RelayerFields, "network_type">;

/** Returns a policy by its path in the relayer, e.g. `policies.gas_price_cap`. */
export function policyAt(path: string, { network_type }: Kinded, symbol?: string): PolicyField | undefined {
  if (!path.startsWith("policies.")) return undefined;
  return policyFieldAt(policyFieldsOf(network_type, symbol), path.slice("policies.".length));
}

export function isPolicyFieldDefault(value: JsonValue, field: PolicyField | undefined): boolean {
  const byDefault = policyFieldDefault(field);
  return byDefault !== undefined && String(wireAmount(value) ?? value) === String(byDefault);
}

/** Returns the default of an unset field, as the service returns it (facts 4.3). */
export function policyFieldDefault(field: PolicyField | undefined): bigint | boolean | undefined {
  return field && "default" in field ? field.default : undefined;
}

export function policyFieldLines(relayer: Relayer, symbol: string | undefined): BlockLine[] {
  const { policies, network_type } = relayer;
  if (!isJsonObject(policies)) return [];
  const fields = policyFieldsOf(network_type, symbol);
  return [
    { label: "policies", value: { text: "" } },
    ...leafEntries(policies, "").flatMap(([path, value]) => fieldLines(path, value, policyFieldAt(fields, path))),
  ];
}

function leafEntries(object: JsonObject, prefix: string): [string, JsonValue][] {
  return keysOf(object).flatMap((key): [string, JsonValue][] => {
    const value = object[key] ?? null;
    return isJsonObject(value) ? leafEntries(value, `${prefix}${key}.`) : [[prefix + key, value]];
  });
}

function fieldLines(path: string, value: JsonValue, field: PolicyField | undefined): BlockLine[] {
  if (Array.isArray(value))
    return viewLines(path, [{ text: entryCountText(value.length) }, ...value.map(toCell)], true);
  return viewLines(path, [valueCell(value, field)], true);
}

export function entryCountText(count: number): string {
  if (count === 0) return "none";
  return count === 1 ? "1 entry" : `${groupDigits(count)} entries`;
}

function valueCell(value: JsonValue, field: PolicyField | undefined): Cell {
  const text =
    field?.type === "amount" ? showAmount(value, policyFieldCurrency(field, wireAmount(value))) : toCell(value).text;
  return isPolicyFieldDefault(value, field) ? { text: `${text} (default)`, tone: "faint" } : { text };
}

/** Formats an amount as `80 gwei (80000000000)`. Other values are unchanged, and absent and null are empty. */
export function showAmount(value: JsonValue | undefined, currency: Currency): string {
  const amount = wireAmount(value);
  if (amount === undefined) return pathValueText(value);
  const readable = formatAmount(amount, currency);
  return readable.startsWith(`${amount} `) ? readable : `${readable} (${amount})`;
}
