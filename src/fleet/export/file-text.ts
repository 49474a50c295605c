import { copyObject, isJsonObject, type JsonValue, keysOf } from "../../contract/json.ts";

/** Returns a text as a file contains it: what would be a reference, e.g. `${env:NAME}`, is escaped. */
export function fileText(text: string): string {
  return text.replaceAll("${", () => "$${");
}

export function fileValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return fileText(value);
  if (Array.isArray(value)) return value.map(fileValue);
  if (!isJsonObject(value)) return value;
  const copy = copyObject(value);
  for (const key of keysOf(value)) copy[key] = fileValue(value[key] ?? null);
  return copy;
}
