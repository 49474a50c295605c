import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { holdsAlready } from "../../holds-already.ts";

/**
 * Returns the smallest merge patch (RFC 7396) from one object to the other: equal values are omitted in any spelling;
 * removed fields are null; objects on both sides are compared by field; lists are replaced whole.
 */
export function patchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const was = before[key] ?? null;
    const wanted = after[key] ?? null;
    if (isJsonObject(was) && isJsonObject(wanted)) {
      const inner = patchBetween(was, wanted);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!holdsAlready({ [key]: wanted }, { [key]: was })) patch[key] = wanted;
  }
  return patch;
}
