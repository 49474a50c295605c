import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { DerivedField, ResourceView } from "../view.ts";
import { valueAt } from "./path.ts";

type Derived = Pick<ResourceView, "derived">;

export function derivedField({ derived }: Derived, path: string): DerivedField | undefined {
  return derived && Object.hasOwn(derived, path) ? derived[path] : undefined;
}

/** Returns a function that reads a field of the service, or a derived one at this time. */
export function fieldReader(resource: Derived, path: string, now: number): (item: JsonObject) => JsonValue | undefined {
  const derived = derivedField(resource, path);
  return derived ? (item) => derived.value(item, now) : (item) => valueAt(item, path);
}

export function fieldsReadBy(resource: Derived, path: string): readonly string[] {
  return derivedField(resource, path)?.reads ?? [path];
}

export function derivedAdder(
  resource: Derived,
  paths: readonly string[],
  now: number,
): ((item: JsonObject) => JsonObject) | undefined {
  const found = paths.flatMap((path) => {
    const derived = derivedField(resource, path);
    return derived ? [[path, derived] as const] : [];
  });
  if (found.length === 0) return undefined;
  return (item) => ({ ...item, ...Object.fromEntries(found.map(([path, { value }]) => [path, value(item, now)])) });
}

const AGE = /^\s*([0-9]+)\s*(s|m|h|d)\s*$/;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Returns a duration as its seconds, for a condition on an age: `2h` is `7200`; any other text unchanged. */
export function ageOperand(text: string): string {
  const [, count = "", unit = ""] = AGE.exec(text) ?? [];
  return unit === "" ? text : String(BigInt(count) * BigInt(SECONDS[unit] ?? 1));
}
