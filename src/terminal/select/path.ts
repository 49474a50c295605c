import { asReceived, asText, isJsonObject, type JsonObject, type JsonValue, keysOf } from "../../contract/json.ts";
import type { DerivedField, ResourceView } from "../view.ts";

type Derived = Pick<ResourceView, "derived">;

export function derivedPath({ derived }: Derived, path: string): DerivedField | undefined {
  return derived && Object.hasOwn(derived, path) ? derived[path] : undefined;
}

export function fieldReader(resource: Derived, path: string, now: number): (item: JsonObject) => JsonValue | undefined {
  const derived = derivedPath(resource, path);
  return derived ? (item) => derived.value(item, now) : (item) => valueAtPath(item, path);
}

export function fieldsReadByPath(resource: Derived, path: string): readonly string[] {
  return derivedPath(resource, path)?.reads ?? [path];
}

export function derivedAdder(
  resource: Derived,
  paths: readonly string[],
  now: number,
): ((item: JsonObject) => JsonObject) | undefined {
  const found = paths.flatMap((path) => {
    const derived = derivedPath(resource, path);
    return derived ? [[path, derived] as const] : [];
  });
  if (found.length === 0) return undefined;
  return (item) => ({ ...item, ...Object.fromEntries(found.map(([path, { value }]) => [path, value(item, now)])) });
}

const AGE = /^\s*([0-9]+)\s*(s|m|h|d)\s*$/;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Returns a duration as seconds for a condition on an age, `2h` as `7200`; other texts unchanged. */
export function agePathOperand(text: string): string {
  const [, count = "", unit = ""] = AGE.exec(text) ?? [];
  return unit === "" ? text : String(BigInt(count) * BigInt(SECONDS[unit] ?? 1));
}

export function valueAtPath(item: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = item;
  let start = 0;
  do {
    const dot = path.indexOf(".", start);
    const key = dot < 0 ? path.slice(start) : path.slice(start, dot);
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = asReceived(value, key);
    start = dot + 1;
  } while (start > 0);
  return value;
}

/** Returns a value for flat formats: null and absent are empty, lists and objects JSON, every digit is kept. */
export function pathValueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return asText(value);
}

export function flatPathValue(item: JsonObject, path: string): string {
  return pathValueText(valueAtPath(item, path));
}

/** The longest path whose values are split further: it is repeated in the paths of all fields. */
const LONGEST_PATH = 256;

/** Returns every leaf's dotted path, in the response's order; an empty object is a leaf. */
export function leafPaths(item: JsonObject): string[] {
  const paths: string[] = [];
  addLeafPaths(item, "", paths);
  return paths;
}

function addLeafPaths(item: JsonObject, prefix: string, paths: string[]): void {
  for (const key of keysOf(item)) {
    const value = asReceived(item, key) ?? null;
    const path = prefix + key;
    const isOpened = path.length <= LONGEST_PATH && isJsonObject(value) && Object.keys(value).length > 0;
    if (isOpened) addLeafPaths(value, `${path}.`, paths);
    else paths.push(path);
  }
}

/** Returns every leaf path of any item, in order of first appearance. */
export function leafPathsOfAll(items: readonly JsonObject[]): string[] {
  return [...new Set(items.flatMap(leafPaths))];
}
