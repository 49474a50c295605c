import type { Node, Pair, Scalar } from "yaml";
import type { JsonValue } from "../../contract/json.ts";
import { plainValue } from "./plain-value.ts";

export interface TextPart {
  form: "scalar" | "flow" | "block";
  /** The start of the value; for a member in lines, the end of the previous line. */
  start: number;
  /** The start of the value, after any comment. */
  at: number;
  /** The end of the value; for a collection of lines, the end of the last line, with its comment. */
  end: number;
  value: JsonValue;
  children: readonly Child[];
}

export interface Child {
  key?: string;
  /** Including its key. */
  start: number;
  part: TextPart;
}

/** Returns the parts of a YAML or JSON text that `parseDocument` accepts; undefined for a text without a value. */
export async function textParts(text: string): Promise<TextPart | undefined> {
  const library = await import("../../contract/encoding/yaml.ts");
  const { contents } = library.parseDocument(text, { schema: "failsafe", uniqueKeys: false, prettyErrors: false });
  return contents ? textPart(contents, text, library) : undefined;
}

type Library = typeof import("../../contract/encoding/yaml.ts");

function textPart(node: Node, text: string, library: Library): TextPart | undefined {
  const [start = 0, valueEnd = 0] = node.range ?? [];
  if (library.isScalar(node)) {
    // Not trimEnd(): a plain scalar of YAML may end with a space of Unicode.
    const end = start + text.slice(start, valueEnd).replace(/[ \t\r\n]+$/, "").length;
    return {
      form: "scalar",
      start,
      at: start,
      end,
      value: scalarValue(node),
      children: [],
    };
  }
  if (!library.isCollection(node)) return undefined;
  const children = library.isMap(node)
    ? node.items.map((pair) => memberChild(pair, text, library))
    : node.items.map((item) => itemChild(item, text, library));
  if (!children.every((child) => child !== undefined)) return undefined;
  const isFlow = node.flow === true;
  return {
    form: isFlow ? "flow" : "block",
    start,
    at: start,
    end: isFlow ? valueEnd : textLineEnd(text, children.at(-1)?.part.end ?? valueEnd),
    value: library.isMap(node)
      ? Object.fromEntries(children.map(({ key = "", part }) => [key, part.value]))
      : children.map(({ part }) => part.value),
    children,
  };
}

function memberChild({ key, value }: Pair<unknown, unknown>, text: string, library: Library): Child | undefined {
  if (!library.isScalar(key) || typeof key.value !== "string") return undefined;
  const part = library.isNode(value) ? textPart(value, text, library) : undefined;
  if (!part) return undefined;
  const [start = part.start, keyEnd = start] = key.range ?? [];
  const before = textLineEnd(text, keyEnd);
  const isBelow = part.form === "block" && before < part.start;
  return { key: key.value, start, part: isBelow ? { ...part, start: before } : part };
}

function itemChild(item: unknown, text: string, library: Library): Child | undefined {
  const part = library.isNode(item) ? textPart(item, text, library) : undefined;
  return part && { start: part.start, part };
}

function scalarValue({ value, type }: Scalar): JsonValue {
  if (typeof value !== "string") return null;
  return type === "PLAIN" ? plainValue(value) : value;
}

export function textLineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  if (at < 0) return text.length;
  return at > from && text[at - 1] === "\r" ? at - 1 : at;
}
