import type { JsonObject } from "../../contract/json.ts";
import { leafPaths } from "../select/leaves.ts";
import { flatValue } from "../select/path.ts";
import { tsvRow } from "./tsv.ts";

/** Returns one resource for scripts: a line `key<TAB>value` for each path; without paths, for every leaf. */
export function keyValueText(item: JsonObject, paths: readonly string[] = leafPaths(item)): string {
  return paths.map((path) => tsvRow([path, flatValue(item, path)])).join("");
}
