import { priceText, wireAmount } from "../amount.ts";
import { isNumber } from "../decimal.ts";
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue, objectIn } from "../json.ts";
import type { ListField, PolicyField, PolicyFields } from "./field.ts";

/** A change of a gas price cap by this factor is more likely a mistyped unit than intended. */
const FACTOR = 1000n;

export function capIn(body: JsonValue | undefined): JsonValue | undefined {
  const policies = objectIn(body).policies;
  return isJsonObject(policies) ? (policies.gas_price_cap ?? undefined) : undefined;
}

/** Returns whether a cap falls or rises by a factor of a thousand. A cap that was or becomes unset is not compared. */
export function capLeaps(previous: JsonValue | undefined, now: JsonValue | undefined): boolean {
  const [before, after] = [wireAmount(previous), wireAmount(now)];
  if (before === undefined || after === undefined || before === after) return false;
  return after >= before * FACTOR || before >= after * FACTOR;
}

/** Returns the change of a relayer's gas price cap if it needs consent: a thousandfold, or not comparable. */
export function capRisks(patch: JsonValue | undefined, before: JsonValue | undefined): string[] {
  const now = capIn(patch);
  if (now === undefined) return [];
  if (before === undefined) return [`the live gas_price_cap could not be read, to compare it with ${gasCapText(now)}`];
  const previous = capIn(before);
  if (previous === undefined) return [];
  if (wireAmount(previous) === undefined || wireAmount(now) === undefined)
    return [`gas_price_cap can't be compared with the live value: ${gasCapText(previous)} → ${gasCapText(now)}`];
  return capLeaps(previous, now) ? [`gas_price_cap ${leapText(previous, now)}`] : [];
}

/** Returns `falls to a thousandth or less: 80 gwei → 0.00000008 gwei` */
export function leapText(previous: JsonValue, now: JsonValue): string {
  const rises = (wireAmount(now) ?? 0n) > (wireAmount(previous) ?? 0n);
  const words = rises ? "rises a thousandfold or more" : "falls to a thousandth or less";
  return `${words}: ${gasCapText(previous)} → ${gasCapText(now)}`;
}

function gasCapText(cap: JsonValue): string {
  const amount = wireAmount(cap);
  return amount === undefined ? "a value that is not an amount" : priceText(amount);
}

/** Returns whether a value of a merge patch has its field's type; ranges are validated with the request. */
export function fitsPolicyField(field: PolicyField, value: JsonValue): boolean {
  if (value === null) return true;
  switch (field.type) {
    case "amount":
      return (wireAmount(value) ?? -1n) >= 0n;
    case "integer":
      return isJsonInteger(value);
    case "flag":
      return typeof value === "boolean";
    case "decimal":
      return isNumber(value);
    case "word":
      return typeof value === "string";
    case "list":
      return Array.isArray(value) && value.every((item) => fitsEntry(field, item));
    case "object":
      return isJsonObject(value) && fitAll(field.fields, value);
    case "json":
      return isJsonObject(value);
  }
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

function fitsEntry({ entry, words, form, addresses }: ListField, item: JsonValue): boolean {
  if (entry) return isJsonObject(item) && typeof item[entry.key] === "string" && fitAll(entry.fields, item);
  if (typeof item !== "string") return false;
  if (addresses === "evm") return EVM_ADDRESS.test(item);
  return words ? words.includes(item) : form?.problem(item) === undefined;
}

function fitAll(fields: PolicyFields, object: JsonObject): boolean {
  return Object.entries(object).every(([key, value]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field !== undefined && fitsPolicyField(field, value);
  });
}
