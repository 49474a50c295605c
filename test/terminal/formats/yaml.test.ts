import fc from "fast-check";
import { parse } from "yaml";
import { parseJson } from "../../../src/contract/json.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

test("keeps order and every digit of a number", async () => {
  const item = relayer(`{"id":"r1","7":null,"cap":${MAX_U128},"ratio":1.0,"large":1e21,"list":[],"policies":{}}`);
  expect(await yamlText(item)).toBe(`\
id: r1
"7": null
cap: ${MAX_U128}
ratio: 1.0
large: 1e21
list: []
policies: {}
`);
});

test.each([
  "123",
  "0x10",
  "1e5",
  "yes",
  "no",
  "on",
  "null",
  "~",
  "true",
  "2026-01-01",
  "12:30:45",
  "1_000",
  "0o17",
  ".inf",
  "",
  "=",
  "..",
  "<<",
  "Y",
  "nULL",
  "-.INF",
  ".NaN",
  "+12",
  "0b1010_0111",
  "-0o17",
  "02472256",
  "0x_0A_74_AE",
  "0x1p-2",
  "190:20:30",
  "190:20:30.15",
  "685.230_15e+03",
  "685_230.15",
  ".5",
  "5.",
  "1,000",
  "12e03",
  "2001-1-1",
  "2001-12-14t21:59:43.10-05:00",
  "2001-12-14 21:59:43.10 -5",
  "---",
  "...",
  "--- a",
  ":symbol",
])("quotes the text %j, which a parser could read as another type", async (text) => {
  expect(await yamlText([text])).toBe(`- "${text}"\n`);
});

test("escapes line breaks and control characters", async () =>
  expect(await yamlText({ "a\nb": "x\u001b[2J\u202e\u{e0041}\n" })).toBe(
    '"a\\nb": "x\\e[2J\\U0000202e\\U000e0041\\n"\n',
  ));

test("repeats a value that occurs twice, without an anchor", async () => {
  const shared = { type: "NonceSyncFailed" };
  expect(await yamlText([shared, shared])).toBe("- type: NonceSyncFailed\n- type: NonceSyncFailed\n");
});

test.each(["eth-main-1", "a=b", "<a>", "yesterday", "1.5.3-rc", "nan-1", "2f6c1f0e-11aa-4c1d"])(
  "does not quote the text %j, which every parser reads as text",
  async (text) => expect(await yamlText([text])).toBe(`- ${text}\n`),
);

test("parses back to the same data", async () => {
  const documents = fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.stringify(value));
  await fc.assert(
    fc.asyncProperty(documents, async (json) => {
      expect(parse(await yamlText(parseJson(json)))).toEqual(JSON.parse(json));
    }),
  );
});
