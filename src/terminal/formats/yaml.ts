import { asReceived, isJsonObject, type JsonValue, keysOf, writeJson } from "../../contract/json.ts";
import { escapeYaml, needsNoEscape } from "../escape.ts";

/** Returns a value as YAML 1.2, with a line ending. Numbers keep every digit, and maps their order. */
export async function yamlText(value: JsonValue): Promise<string> {
  return (await createYamlWriter())(value);
}

export async function createYamlWriter(): Promise<(value: JsonValue) => string> {
  const texts = await createYamlTexts();
  return (value) => `${writeYaml(value, 0, texts)}\n`;
}

/** Returns a value in block style, its first line without indentation. @param depth how deep it is nested */
function writeYaml(value: JsonValue, depth: number, texts: YamlTexts): string {
  if (typeof value === "string") return texts.value(value, depth);
  const newline = `\n${"  ".repeat(depth)}`;
  if (Array.isArray(value)) return joinYaml(value, (item) => `- ${writeYaml(item, depth + 1, texts)}`, newline) || "[]";
  if (!isJsonObject(value)) return writeJson(value);
  return (
    joinYaml(keysOf(value), (key) => yamlMember(key, asReceived(value, key) ?? null, depth, texts), newline) || "{}"
  );
}

function yamlMember(name: string, value: JsonValue, depth: number, texts: YamlTexts): string {
  const key = texts.key(name);
  const text = writeYaml(value, depth + 1, texts);
  if (key.isLong) return `? ${key.text}\n${"  ".repeat(depth)}: ${text}`;
  return isBlock(value) ? `${key.text}:\n${"  ".repeat(depth + 1)}${text}` : `${key.text}: ${text}`;
}

function isBlock(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function joinYaml<T>(parts: readonly T[], textOf: (part: T) => string, newline: string): string {
  let text = "";
  for (const part of parts) text += (text && newline) + textOf(part);
  return text;
}

interface YamlKey {
  text: string;
  /** Whether a reader of YAML finds the end of the key only if `? ` precedes it. */
  isLong: boolean;
}

type YamlTexts = Awaited<ReturnType<typeof createYamlTexts>>;

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
/** Matches all of these texts and few others. */
const MAY_BE_RESOLVED = /^(?:[^A-Za-z]|.{0,8}$)/;

/** Noncharacters, which YAML forbids, and which are escaped. */
const UNPRINTABLE = /[\ufffe\uffff]/g;

/** Texts that need no quotes unless they are resolved; there are others. */
const PLAIN = /^(?![eE][-+]?[0-9])[\w/\xa1-\ufffd](?:(?:[ :]|-+)?[\w/.,;@+=()%&!?*$'"\xa1-\ufffd])*$/;
const ASCII = /^[\0-\x7f]*$/;
const QUOTABLE = /^[ !#-[\]-~]*$/;

const LONGEST_KEY = 1024;
const MOST_KEYS = 1000;
const OPTIONS = { aliasDuplicateObjects: false, compat: "yaml-1.1", lineWidth: 0 } as const;

/** Quotes what a parser would interpret, or has several lines or controls; `yaml` decides what is not obvious. */
async function createYamlTexts() {
  const { Document, Scalar } = await import("../../contract/encoding/yaml.ts");
  const keys = new Map<string, YamlKey>();
  const nested: ((text: string) => string)[] = [];

  function createScalarWriter(place: (scalar: unknown) => unknown): (text: string) => string {
    const scalar = new Scalar("");
    const document = new Document(place(scalar), OPTIONS);
    return (text) => {
      scalar.value = text;
      scalar.type = mustQuoteYaml(text) ? "QUOTE_DOUBLE" : "PLAIN";
      return document.toString(OPTIONS);
    };
  }

  function valueFor(text: string, depth: number): string {
    nested[depth] ??= createScalarWriter((scalar) => inLists(scalar, depth));
    return printableYaml(nested[depth](text).slice("- ".length * depth, -"\n".length));
  }

  const pairFor = createScalarWriter((scalar) => new Map([[scalar, 0]]));

  function keyFor(text: string): YamlKey {
    const known = obviousScalar(text);
    if (known !== undefined) return { text: known, isLong: known.length > LONGEST_KEY };
    const pair = pairFor(text);
    const isLong = pair.endsWith("\n: 0\n");
    return {
      text: printableYaml(isLong ? pair.slice("? ".length, -"\n: 0\n".length) : pair.slice(0, -": 0\n".length)),
      isLong,
    };
  }

  return {
    /** @param depth the number of lists and maps around the text: further lines are indented by two spaces for each */
    value: (text: string, depth: number) => obviousScalar(text) ?? valueFor(text, depth),
    key(text: string) {
      const known = keys.get(text);
      if (known) return known;
      const key = keyFor(text);
      if (keys.size < MOST_KEYS) keys.set(text, key);
      return key;
    },
  };
}

function obviousScalar(text: string): string | undefined {
  if (MAY_BE_RESOLVED.test(text) && isResolved(text)) return QUOTABLE.test(text) ? `"${text}"` : undefined;
  return PLAIN.test(text) && (ASCII.test(text) || !mustQuoteYaml(text)) ? text : undefined;
}

/** Returns whether a text needs quotes. Some readers and all people miss a space of Unicode at its edges. */
export function mustQuoteYaml(text: string): boolean {
  return !needsNoEscape(text) || isResolved(text) || text.trim() !== text;
}

function isResolved(text: string): boolean {
  return text.search(UNPRINTABLE) >= 0 || RESOLVED.some((pattern) => pattern.test(text));
}

function inLists(value: unknown, depth: number): unknown {
  return depth === 0 ? value : [inLists(value, depth - 1)];
}

/** Escapes acting or forbidden characters; texts with them are double-quoted. */
function printableYaml(yaml: string): string {
  return escapeYaml(yaml).replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
