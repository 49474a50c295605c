import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { holdsAlready } from "../../holds-already.ts";

/**
 * The smallest merge patch (RFC 7396) that makes the one of the other: what is the same is left out, however it is
 * spelled; what is gone is null; objects on both sides are opened; lists are replaced whole.
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
