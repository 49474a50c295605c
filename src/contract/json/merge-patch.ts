import { isJsonObject, type JsonObject } from "./values.ts";

/** Applies a merge patch (RFC 7396): absent keeps, null removes, an object is merged, anything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isJsonObject(value) ? mergePatch(isJsonObject(old) ? old : {}, value) : value;
  }
  return merged;
}
