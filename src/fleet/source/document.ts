import { type JsonValue, parseJsonOr, positionsIn, type TextPosition } from "../../contract/json.ts";
import { usageError } from "../../errors.ts";
import { sourcePlaceText } from "../desired-fleet.ts";

export interface SourceDocument {
  /** For messages: as typed, relative to the file that refers to it, or `stdin`. */
  file: string;
  format: "json" | "yaml";
  value: JsonValue;
  /** Whether a byte order mark was left out. */
  hasMark: boolean;
  /** By dotted path: `relayers.0.policies`; of a field, where its name begins. The document has the empty path. */
  places: ReadonlyMap<string, TextPosition>;
}

/** Parses a file exactly, by its extension or its content. @throws RelayctlError usage, without the content */
export async function parseDocument(file: string, marked: string): Promise<SourceDocument> {
  const text = marked.replace(/^\ufeff/, "");
  const hasMark = text !== marked;
  if (formatFor(file, text) === "json") return { ...jsonDocument(file, text), hasMark };
  const { parseYaml } = await import("./yaml-document.ts");
  return { file, format: "yaml", hasMark, ...(await parseYaml(file, text)) };
}

function formatFor(file: string, text: string): SourceDocument["format"] {
  const [, extension] = /\.(json|ya?ml)$/i.exec(file) ?? [];
  if (extension !== undefined) return extension.toLowerCase() === "json" ? "json" : "yaml";
  return /^\s*[{[]/.test(text) ? "json" : "yaml";
}

function jsonDocument(file: string, text: string): Omit<SourceDocument, "hasMark"> {
  const value = parseJsonOr(text, ({ line, column, reason }) =>
    usageError([{ where: sourcePlaceText({ file, line, column }), rule: `is not JSON: ${reason}` }]),
  );
  return { file, format: "json", value, places: positionsIn(text) };
}
