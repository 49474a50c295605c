import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Cell } from "../../terminal/view.ts";
import { cell } from "../cells.ts";

/** Returns RPC URLs with their weights, one per line. */
export function rpcUrlCells(urls: JsonValue | undefined, none = "the network's own"): Cell[] {
  if (!Array.isArray(urls) || urls.length === 0) return [{ text: none, tone: "faint" }];
  return urls.map((entry) => {
    if (!isJsonObject(entry)) return cell(entry);
    return {
      text:
        entry.weight === undefined
          ? cell(entry.url).text
          : `${cell(entry.url).text}  weight ${cell(entry.weight).text}`,
    };
  });
}
