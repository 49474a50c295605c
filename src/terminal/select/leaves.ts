import { isJsonObject, type JsonObject, keysOf } from "../../contract/json.ts";

/**
 * The maximum path length, below which values are not split further: an object's path is repeated in the paths of all
 * its fields.
 */
const LONGEST_PATH = 256;

/** Returns the dotted path of every leaf, in the order of the response; an empty object is a leaf. */
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

/** Returns every leaf path of any item, in order of first appearance. */
export function leafPathsOfAll(items: readonly JsonObject[]): string[] {
  return [...new Set(items.flatMap(leafPaths))];
}
