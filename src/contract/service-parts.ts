import { isJsonObject, type JsonValue } from "./json.ts";

export function unhealthyServiceParts(components: JsonValue | undefined): string[] {
  const parts = serviceParts(components).filter(({ state }) => state !== "healthy");
  return parts.map(({ name, state, error }) => `${name}: ${state}${error ? `: ${error}` : ""}`);
}

export function serviceParts(components: JsonValue | undefined): { name: string; state: string; error?: string }[] {
  if (!isJsonObject(components)) return [];
  return Object.entries(components).flatMap(([name, part]) => {
    if (!isJsonObject(part)) return [];
    return {
      name,
      state: String(part.status ?? "unknown"),
      ...(typeof part.error === "string" && { error: part.error }),
    };
  });
}
