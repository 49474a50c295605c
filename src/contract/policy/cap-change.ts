import { formatAmount, wireAmount } from "../amount.ts";
import { GAS_PRICE } from "../currency.ts";
import { isJsonObject, type JsonValue } from "../json.ts";

/** A change of a gas price cap by this factor is more likely a mistyped unit than intended. */
const FACTOR = 1000n;

/** Returns the gas price cap of a relayer or of a patch; undefined if it is unset, or unset by the patch. */
export function capIn(body: JsonValue | undefined): JsonValue | undefined {
  const policies = isJsonObject(body) ? body.policies : undefined;
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
  if (before === undefined) return [`the live gas_price_cap could not be read, to compare it with ${capText(now)}`];
  const previous = capIn(before);
  if (previous === undefined) return [];
  if (wireAmount(previous) === undefined || wireAmount(now) === undefined)
    return [`gas_price_cap can't be compared with the live value: ${capText(previous)} → ${capText(now)}`];
  return capLeaps(previous, now) ? [`gas_price_cap ${leapText(previous, now)}`] : [];
}

/** Returns `falls to a thousandth or less: 80 gwei → 0.00000008 gwei` */
export function leapText(previous: JsonValue, now: JsonValue): string {
  const rises = (wireAmount(now) ?? 0n) > (wireAmount(previous) ?? 0n);
  const words = rises ? "rises a thousandfold or more" : "falls to a thousandth or less";
  return `${words}: ${capText(previous)} → ${capText(now)}`;
}

function capText(cap: JsonValue): string {
  const amount = wireAmount(cap);
  return amount === undefined ? "a value that is not an amount" : formatAmount(amount, GAS_PRICE);
}
