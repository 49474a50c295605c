import type { TextPosition } from "../../contract/json.ts";
import type { FilePlace, FileWarning } from "../desired.ts";

/** Returns a place in the format of editors and compilers: `config.json:12:5`. */
export function sourcePlaceText({ file, line, column }: FilePlace): string {
  return `${file}:${line}:${column}`;
}

export function sourceWarningText({ place, text, isNote }: FileWarning): string {
  return `${isNote ? "note" : "warning"}: ${sourcePlaceText(place)}: ${text}`;
}

/** Returns the place of a member by its dotted path, or of its container. */
export function sourcePlaceIn(
  { file, places }: { file: string; places: ReadonlyMap<string, TextPosition> },
  path: string,
): FilePlace {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const found = places.get(at);
    if (found || at === "") return { file, ...(found ?? { line: 1, column: 1 }) };
  }
}
