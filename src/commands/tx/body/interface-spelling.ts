import { withoutNull, writtenInteger } from "../../../contract/body-spelling.ts";
import type { JsonObject } from "../../../contract/json.ts";

/**
 * What may not be null in an EVM replacement (interface 3.1), and counts as absent for the real service (facts 5.3).
 */
const NEVER_NULL = ["to", "data", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "speed", "valid_until"];

/** The members of a file, in the spelling of the interface: `value` as an integer where it is a text. */
export function inInterfaceSpelling(fields: JsonObject): JsonObject {
  const { value } = fields;
  return { ...withoutNull(fields, NEVER_NULL), ...(value !== undefined && { value: writtenInteger(value) }) };
}
