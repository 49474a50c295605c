import fc from "fast-check";
import { CORE_SCHEMA, load, mergeTag, timestampTag, YAML11_SCHEMA } from "js-yaml";
import { parse } from "yaml";
import { parseJson } from "../../../src/contract/json.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";

const RUNS = runs(50, 20_000);

/** Readers that misread more texts than the library that wrote them. */
const READERS: Record<string, (document: string) => unknown> = {
  "js-yaml 1.1": (document) => load(document, { schema: YAML11_SCHEMA }),
  "js-yaml 1.2 with dates and merge keys": (document) =>
    load(document, { schema: CORE_SCHEMA.withTags(mergeTag, timestampTag) }),
  "yaml 1.1": (document) => parse(document, { version: "1.1", merge: true }),
  "yaml 1.2": (document) => parse(document),
};

const sign = fc.constantFrom("", "-", "+");
const digits = (pattern: RegExp) => fc.stringMatching(pattern);
const inCases = (...words: string[]) =>
  fc
    .constantFrom(...words)
    .chain((word) => fc.constantFrom(word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)));

/** The forms that yaml.org/type and chapter 10 of YAML 1.2 resolve, by their own expressions. */
const resolvable = fc.oneof(
  inCases("~", "null", "y", "n", "yes", "no", "on", "off", "true", "false"),
  fc.constantFrom("=", "<<", ""),
  fc.tuple(sign, inCases(".inf")).map((parts) => parts.join("")),
  inCases(".nan").map((word) => word.replace("nan", "NaN")),
  fc.tuple(sign, digits(/^0b[01_]{1,9}$/)).map((parts) => parts.join("")),
  fc.tuple(sign, digits(/^0[0-7_]{1,9}$/)).map((parts) => parts.join("")),
  fc.tuple(sign, digits(/^0o[0-7]{1,9}$/)).map((parts) => parts.join("")),
  fc.tuple(sign, digits(/^0x[0-9a-fA-F_]{1,40}$/)).map((parts) => parts.join("")),
  fc.tuple(sign, digits(/^(0|[1-9][0-9_]{0,20})$/)).map((parts) => parts.join("")),
  fc.tuple(sign, digits(/^[1-9][0-9_]{0,5}(:[0-5]?[0-9]){1,3}(\.[0-9_]{0,3})?$/)).map((parts) => parts.join("")),
  fc.tuple(sign, digits(/^([0-9][0-9_]{0,9})?\.[0-9_]{1,9}([eE][-+]?[0-9]{1,3})?$/)).map((parts) => parts.join("")),
  fc
    .tuple(sign, digits(/^(\.[0-9]{1,9}|[0-9]{1,9}(\.[0-9]{0,9})?)([eE][-+]?[0-9]{1,3})?$/))
    .map((parts) => parts.join("")),
  digits(/^[0-9]{4}-[01]?[0-9]-[0-3]?[0-9]$/),
  digits(
    /^[0-9]{4}-[01]?[0-9]-[0-3]?[0-9]([Tt]|[ \t]{1,2})[012]?[0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{0,3})?([ \t]?(Z|[-+][012]?[0-9](:[0-5][0-9])?))?$/,
  ),
);

/** Texts that begin a comment, a document, an anchor, a block or a key. */
const structural = fc
  .tuple(
    fc.constantFrom("", " ", "a", "1"),
    fc.constantFrom(..."-?:,[]{}#&*!|>'\"%@`=<.~"),
    fc.constantFrom("", " ", "  b", ": c", "-", "--", "\n"),
  )
  .map((parts) => parts.join(""));
const texts = fc.oneof(
  { arbitrary: resolvable, weight: 4 },
  structural,
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: "grapheme" }),
);

describe.each(Object.keys(READERS))("%s", (name) => {
  const read = READERS[name] ?? (() => undefined);

  test("reads every text back as the same text, as a key, a value, and an item", async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (key, text) => {
        // A member of this name is lost in the objects of a reader, whatever was written.
        fc.pre(key !== "__proto__");
        const document = await yamlText(
          parseJson(JSON.stringify({ [key]: text, list: [text, [text]], under: { [key]: [text] } })),
        );
        expect(read(document)).toEqual({ [key]: text, list: [text, [text]], under: { [key]: [text] } });
      }),
      RUNS,
    );
  });
});

test("quotes every text that YAML 1.1 or 1.2 would convert", () =>
  fc.assert(
    fc.asyncProperty(resolvable, async (text) => {
      expect(await yamlText([text])).toBe(`- ${JSON.stringify(text)}\n`);
      expect(await yamlText({ [text]: 1 })).toBe(`${JSON.stringify(text)}: 1\n`);
    }),
    RUNS,
  ));

test("keeps every digit of integers", () =>
  fc.assert(
    fc.asyncProperty(fc.bigInt(), async (value) => {
      const document = await yamlText(parseJson(`[${value}]`));
      expect(document).toBe(`- ${value}\n`);
      expect(parse(document, { intAsBigInt: true })).toEqual([value]);
    }),
    RUNS,
  ));
