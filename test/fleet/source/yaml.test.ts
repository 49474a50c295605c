import fc from "fast-check";
import { type JsonValue, NumberLiteral, writeJson } from "../../../src/contract/json.ts";
import { sourcePlaceIn } from "../../../src/fleet/desired-fleet.ts";
import { parseDocument } from "../../../src/fleet/source/document.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { problemsOf } from "../fleet-files.ts";

test.each<[string, JsonValue]>([
  ["340282366920938463463374607431768211455", 2n ** 128n - 1n],
  ["9007199254740993", 9_007_199_254_740_993n],
  ["-7", -7],
  ["0.5", 0.5],
  ["0.10", new NumberLiteral("0.10")],
  ["1e20", new NumberLiteral("1e20")],
  ["~", null],
  ["", null],
  ["null", null],
  ["True", true],
  ["false", false],
  ["yes", "yes"],
  ["no", "no"],
  ["2026-11-23", "2026-11-23"],
  ["12:30:45", "12:30:45"],
  ["100gwei", "100gwei"],
  ["100 gwei", "100 gwei"],
  ["0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886E0F7030069857D2E4169EE7"],
  ['"010"', "010"],
  ["'1'", "1"],
  ["|\n  a\n  b\n", "a\nb\n"],
  [`\${hidden:https://host#1}`, `\${hidden:https://host#1}`],
  [`\${env:NAME}`, `\${env:NAME}`],
])("the YAML value %j is read exactly", async (text, value) => {
  expect((await parseDocument("f.yaml", `a: ${text}`)).value).toEqual({ a: value });
});

test.each([
  ["a: &x 1", "f.yaml:1:4: in YAML: an anchor (&) is not supported: write the value where it is needed"],
  ["a: *x", "f.yaml:1:4: in YAML: an alias (*) is not supported: write the value where it is needed"],
  ["a: !!str 1", "f.yaml:1:4: in YAML: a tag (!) is not supported: the type of a value follows from how it is written"],
  ["a: 1\n---\nb: 2", "f.yaml:2:1: in YAML: a second document begins here; put it into another file, and specify both"],
  ["a: 1\n...\nb: 2", "f.yaml:3:1: in YAML: a second document begins here; put it into another file, and specify both"],
  ["%TAG ! !foo\n---\na: 1", "f.yaml:1:1: in YAML: a directive (%) is not supported"],
  ["a: 1\nb: 2\na: 3", "f.yaml:3:1: in YAML: a duplicate field name"],
  [
    "a:\n  <<: {b: 1}",
    "f.yaml:2:3: in YAML: a merge key (<<) is not supported: write the members where they are needed",
  ],
  ["1: a", "f.yaml:1:1: in YAML: a field name that is not a text; put it in quotes"],
  ["true: a", "f.yaml:1:1: in YAML: a field name that is not a text; put it in quotes"],
  ["? [a]\n: b", "f.yaml:1:3: in YAML: a field name that is not a text; put it in quotes"],
  [
    "a: 010",
    "f.yaml:1:4: in YAML: a number that JSON does not have; write it as in JSON, e.g. 10 or 0.5, or put a text in quotes",
  ],
  [
    "a: [.inf]",
    "f.yaml:1:5: in YAML: a number that JSON does not have; write it as in JSON, e.g. 10 or 0.5, or put a text in quotes",
  ],
  [
    "a: b: c",
    "f.yaml:1:4: in YAML: a second colon on the line, or wrong indentation; put a text with a colon in quotes",
  ],
  ["a:\n\t- b", "f.yaml:2:1: in YAML: a tab in the indentation; use spaces"],
  ["a:\n  b: 1\n c: 2", "f.yaml:3:1: in YAML: wrong indentation, or a bracket that is not closed"],
  [`a: {b: \${env:X}}`, "f.yaml:1:9: in YAML: unexpected text; put a text with a colon, braces, or brackets in quotes"],
  ["a: @x", "f.yaml:1:4: in YAML: a text that begins with a reserved character; put it in quotes"],
  ['a: "\\ud800"', "f.yaml:1:4: in YAML: a lone surrogate"],
  ["a: [", "f.yaml:1:5: in YAML: wrong indentation, or a bracket that is not closed"],
  ['a: "b', "f.yaml:1:6: in YAML: a missing character: a quote, a bracket, a comma, a colon, or a space"],
])("the YAML %j is refused with place and reason", async (text, problem) => {
  expect((await problemsOf(parseDocument("f.yaml", text)))[0]).toBe(problem);
});

test.each([
  ["brackets", "[", "1:129"],
  ["list entries", "- ", "1:256"],
])("thousands of nested %s are refused", async (_, text, place) => {
  const problems = await problemsOf(parseDocument("f.yaml", text.repeat(100_000)));
  expect(problems).toEqual([`f.yaml:${place}: in YAML: too many levels`]);
});

test("every mistake is reported, without any of the text", async () => {
  const bomb = `a: &a SECRET\nb: &b [*a, *a]\nc: [*b, *b]`;
  const problems = await problemsOf(parseDocument("f.yaml", bomb));
  expect(problems.map((problem) => problem.split(": ")[0])).toEqual(
    ["1:4", "2:4", "2:8", "2:12", "3:5", "3:9"].map((place) => `f.yaml:${place}`),
  );
  expect(problems.join()).not.toContain("SECRET");
});

test("a billion laughs are refused before they are expanded", async () => {
  const levels = Array.from(
    { length: 40 },
    (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]`,
  );
  expect((await problemsOf(parseDocument("f.yaml", levels.join("\n")))).length).toBe(100);
});

test.each([
  ["f.json", "a: 1", "f.json:1:1: is not JSON: expected a value"],
  ["f.json", '{"a": 1, "a": 2}', "f.json:1:10: is not JSON: duplicate field name"],
  ["stdin", '{"a": }', "stdin:1:7: is not JSON: expected a value"],
])("%s with %j is refused as JSON", async (file, text, problem) => {
  expect(await problemsOf(parseDocument(file, text))).toEqual([problem]);
});

test.each([
  ["f.yml", "yaml", "a: 1"],
  ["F.JSON", "json", '{"a": 1}'],
  ["stdin", "yaml", "# comment\na: 1"],
  ["stdin", "json", '\n{"a": 1}'],
  ["/dev/fd/63", "yaml", "---\na: 1\n...\n"],
])("the format of %s is %s", async (file, format, text) => {
  expect(await parseDocument(file, text)).toMatchObject({ format, value: { a: 1 } });
});

test("places are those of names and list entries, and a missing member has the place of its parent", async () => {
  const text = "# all\r\nrelayers:\r\n  - id: r1\r\n    policies: {a: [1, 2]}\r\n";
  const document = await parseDocument("f.yaml", text);
  const placed = (path: string) => Object.values(sourcePlaceIn(document, path)).slice(1).join(":");
  const paths = ["", "relayers", "relayers.0", "relayers.0.policies.a.1", "relayers.0.policies.b.c", "other"];
  expect(paths.map(placed)).toEqual(["2:1", "2:1", "3:5", "4:23", "4:5", "2:1"]);
});

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("1", "no", "010", "1e5", "<<", "&a", "- a", "a: b", "# c"),
);
const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.constantFrom<JsonValue>(null, true, false, new NumberLiteral("1.0"), new NumberLiteral("1e400")),
    fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }).map((integer) => {
      const isSafe = integer <= Number.MAX_SAFE_INTEGER && integer >= Number.MIN_SAFE_INTEGER;
      return isSafe ? Number(integer) : integer;
    }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(texts, tie("value"), { maxKeys: 4 }) as fc.Arbitrary<JsonValue>,
  ),
}));

test("what is written as YAML is read as the same value, also as JSON", () =>
  fc.assert(
    fc.asyncProperty(values, async (value) => {
      const fromYaml = await parseDocument("f.yaml", await yamlText({ value }));
      const fromJson = await parseDocument("f.json", writeJson({ value }));
      expect(writeJson(fromYaml.value)).toBe(writeJson(fromJson.value));
      expect([...fromYaml.places.keys()].sort()).toEqual([...fromJson.places.keys()].sort());
    }),
  ));
