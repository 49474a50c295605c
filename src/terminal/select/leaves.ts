import { isJsonObject, type JsonObject, keysOf } from "../../contract/json.ts";

/** The dotted path of every member that is no object with members of its own, in the order of the wire. */
export function leafPaths(item: JsonObject): string[] {
  return keysOf(item).flatMap((key) => {
    const value = item[key];
    const inner = isJsonObject(value) ? leafPaths(value) : [];
    return inner.length === 0 ? [key] : inner.map((path) => `${key}.${path}`);
  });
}

/** Every leaf path that one of the items has, in the order of their first appearance. */
export function leafPathsOfAll(items: readonly JsonObject[]): string[] {
  return [...new Set(items.flatMap(leafPaths))];
}
