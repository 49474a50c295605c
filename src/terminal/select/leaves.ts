import { isJsonObject, type JsonObject, keysOf } from "../../contract/json.ts";

/** What stands inside a longer path is one value: the path of an object stands in those of all its members. */
const LONGEST_PATH = 256;

/** The dotted path of every member that is no object with members of its own, in the order of the wire. */
export function leafPaths(item: JsonObject): string[] {
  const paths: string[] = [];
  addLeafPaths(item, "", paths);
  return paths;
}

function addLeafPaths(item: JsonObject, prefix: string, paths: string[]): void {
  for (const key of keysOf(item)) {
    const value = item[key];
    const path = prefix + key;
    const isOpened = path.length <= LONGEST_PATH && isJsonObject(value) && Object.keys(value).length > 0;
    if (isOpened) addLeafPaths(value, `${path}.`, paths);
    else paths.push(path);
  }
}

/** Every leaf path that one of the items has, in the order of their first appearance. */
export function leafPathsOfAll(items: readonly JsonObject[]): string[] {
  return [...new Set(items.flatMap(leafPaths))];
}
