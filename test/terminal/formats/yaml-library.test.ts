import fc from "fast-check";
import { Scalar, type ScalarTag, stringify } from "yaml";
import {
  isJsonObject,
  type JsonArray,
  type JsonValue,
  keysOf,
  NumberLiteral,
  parseJson,
} from "../../../src/contract/json.ts";
import { escapeYaml } from "../../../src/terminal/escape.ts";
import { mustQuoteYaml, yamlText } from "../../../src/terminal/formats/yaml.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";

const NUMBER_LITERAL: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => value instanceof NumberLiteral,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/** A whole document of the library. */
function writtenByLibrary(value: JsonValue): string {
  const customTags = [NUMBER_LITERAL];
  const options = { aliasDuplicateObjects: false, compat: "yaml-1.1", customTags, lineWidth: 0 } as const;
  const document = escapeYaml(stringify(marked(value), options));
  return document.replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

function marked(value: JsonValue): unknown {
  if (typeof value === "string") return markedText(value);
  if (Array.isArray(value)) return value.map(marked);
  if (!isJsonObject(value)) return value;
  return new Map(keysOf(value).map((key) => [markedText(key), marked(value[key] ?? null)]));
}

function markedText(text: string): unknown {
  return mustQuoteYaml(text) ? Object.assign(new Scalar(text), { type: "QUOTE_DOUBLE" }) : text;
}

const part = fc.oneof(
  fc.constantFrom(..."-?:,[]{}#&*!|>'\"%@`=<~\\ \t\n\r\0\u001b\u0085\u00a0\u2028\u202e\u200d\ufe0f\ufeff\ufffe\uffff"),
  fc.constantFrom("- ", ": ", " #", "  ", "--", "---", "...", "? ", "null", "Yes", "0x1f", "e5", ".5", "190:20", "1_0"),
  fc.constantFrom("https://rpc.example.org/?k=1#a", "2026-01-01", "T00:00:00Z", "Ж", "中", "مرحل", "🚀", "👩‍👩‍👧", "é"),
  fc.constantFrom("x".repeat(30), "y".repeat(1_020)),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
  fc.string({ maxLength: 4 }),
);
const text = fc.oneof(
  { arbitrary: fc.array(part, { maxLength: 5 }).map((parts) => parts.join("")), weight: 3 },
  fc.stringMatching(/^[0-9eExobnaifysNAIFYu.+_:~=<-]{1,7}$/),
  fc.stringMatching(/^[a-fA-F0-9T_.,:e+ -]{1,12}$/),
);
const NUMBERS = "[0,5,-7,-0,1.0,0.5,1e21,0.10,340282366920938463463374607431768211455]";
const scalar = fc.constantFrom<JsonValue>(null, true, false, ...(parseJson(NUMBERS) as JsonArray));
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
}));

test("writes every document as the library would", () =>
  fc.assert(
    fc.asyncProperty(value, text, async (under, name) => {
      const document = { list: [under, name], [name]: [[under], name] };
      expect(await yamlText(document)).toBe(writtenByLibrary(document));
      expect(await yamlText(name)).toBe(writtenByLibrary(name));
    }),
    runs(50, 100_000),
  ));
