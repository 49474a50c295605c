import type { ScalarTag } from "yaml";
import { isJsonObject, type JsonValue, keysOf, NumberLiteral } from "../../contract/json.ts";
import { isVisible, visibleYaml } from "../escape.ts";

type Library = typeof import("yaml");

/** A number that keeps the text of its literal. */
const NUMBER_LITERAL: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => value instanceof NumberLiteral,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/**
 * Returns a value as YAML 1.2. Numbers keep every digit. Texts that a parser of YAML 1.1 or 1.2 would interpret as
 * another type are quoted, and so are texts of several lines or with characters that act on a terminal.
 */
export async function yamlText(value: JsonValue): Promise<string> {
  const library = await import("yaml");
  const document = library.stringify(prepared(value, library), {
    aliasDuplicateObjects: false,
    compat: "yaml-1.1",
    customTags: [NUMBER_LITERAL],
    lineWidth: 0,
  });
  return withoutUnprintable(visibleYaml(document));
}

/** Prepares a value for the library: maps keep their order, and texts that must be quoted are marked. */
function prepared(value: JsonValue, library: Library): unknown {
  if (typeof value === "string") return preparedText(value, library);
  if (Array.isArray(value)) return value.map((item) => prepared(item, library));
  if (!isJsonObject(value)) return value;
  return new Map(keysOf(value).map((key) => [preparedText(key, library), prepared(value[key] ?? null, library)]));
}

function preparedText(text: string, library: Library): unknown {
  if (isVisible(text) && !isResolved(text)) return text;
  const scalar = new library.Scalar(text);
  scalar.type = "QUOTE_DOUBLE";
  return scalar;
}

/**
 * Texts that parsers of YAML 1.1 or 1.2 interpret as another type: `null`, booleans, the value and merge keys, numbers
 * in every base with signs, separators, sexagesimal digits, and exponents, infinities, dates, document markers, and
 * Ruby's symbols. Broader than both specifications, since parsers are: unneeded quotes do no harm.
 */
const RESOLVED: readonly RegExp[] = [
  /^(?:|~|null|y|n|yes|no|on|off|true|false|=|<<)$/i,
  /^[-+]?\.?(?:inf|infinity|nan)$/i,
  /^[-+]?0[xob][0-9a-f_.p+-]*$/i,
  /^[-+]?\.?[0-9][0-9_,.:]*(?:e[-+]?[0-9_]*)?$/i,
  /^[-+]?\.[0-9.]*(?:e[-+]?[0-9]+)?$/i,
  /^[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt\s])/,
  /^(?:---|\.\.\.|:)/,
];

/** Noncharacters, which no YAML document may contain; they are written as escapes. */
const UNPRINTABLE = /[\ufffe\uffff]/g;

/** Returns whether a text must be quoted to be parsed as that text. */
function isResolved(text: string): boolean {
  return text.search(UNPRINTABLE) >= 0 || RESOLVED.some((pattern) => pattern.test(text));
}

/** Escapes these characters in a document in which every text with them is double-quoted. */
function withoutUnprintable(document: string): string {
  return document.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
