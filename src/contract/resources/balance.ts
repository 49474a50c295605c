import type { JsonObject, JsonValue } from "../json.ts";
import { amount, nullish, object, text } from "../reply/shape.ts";

/** The balance of a relayer's address (facts 3.1): an integer of any size, in the smallest unit of its network. */
export interface Balance extends JsonObject {
  balance: JsonValue;
  /** `wei`, `lamport`, or `stroop`. */
  unit: JsonValue;
}

export const balanceShape = object({ balance: amount, unit: nullish(text) });
