import { formatAmount, wireAmount } from "../amount.ts";
import { GAS_PRICE } from "../currency.ts";
import { isJsonObject, type JsonValue } from "../json.ts";

/** A change of a gas price cap by this factor is more likely a mistyped unit than a decision. */
const FACTOR = 1000n;

/** The gas price cap of a relayer, or of a patch of one; undefined where it is unset, or unset by the patch. */
export function capIn(body: JsonValue | undefined): JsonValue | undefined {
  const policies = isJsonObject(body) ? body.policies : undefined;
  return isJsonObject(policies) ? (policies.gas_price_cap ?? undefined) : undefined;
}

/** Whether a cap falls or rises a thousandfold. One that was unset or is unset is no comparison. */
export function capLeaps(previous: JsonValue | undefined, now: JsonValue | undefined): boolean {
  const [before, after] = [wireAmount(previous), wireAmount(now)];
  if (before === undefined || after === undefined || before === after) return false;
  return after >= before * FACTOR || before >= after * FACTOR;
}

/**
 * What a patch does to a relayer's gas price cap, where that must be agreed to: a change a thousandfold, or one that
 * cannot be compared with the cap that is live now. Nothing where it needs no agreement.
 * @param before the relayer as it is; undefined where it could not be read
 */
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

/** `falls to a thousandth or less: 80 gwei → 0.00000008 gwei` */
export function leapText(previous: JsonValue, now: JsonValue): string {
  const rises = (wireAmount(now) ?? 0n) > (wireAmount(previous) ?? 0n);
  const words = rises ? "rises a thousandfold or more" : "falls to a thousandth or less";
  return `${words}: ${capText(previous)} → ${capText(now)}`;
}

function capText(cap: JsonValue): string {
  const amount = wireAmount(cap);
  return amount === undefined ? "a value that is not an amount" : formatAmount(amount, GAS_PRICE);
}
