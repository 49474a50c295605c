import { copyObject, isJsonObject, type JsonValue, keysOf } from "./values.ts";

/** Returns a value with others in place of its leaves. @param change gets each with its path @param at the path */
export function withLeaves(
  value: JsonValue,
  change: (leaf: JsonValue, path: string) => JsonValue,
  at: string = "",
): JsonValue {
  const prefix = at === "" ? "" : `${at}.`;
  if (Array.isArray(value)) return value.map((item, index) => withLeaves(item, change, `${prefix}${index}`));
  if (!isJsonObject(value)) return change(value, at);
  const copy = copyObject({});
  for (const name of keysOf(value)) copy[name] = withLeaves(value[name] ?? null, change, `${prefix}${name}`);
  return copy;
}
