import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseJson } from "../../../src/contract/json.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

describe("yaml", () => {
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
  ])("quotes the text %j, which a reader could take for something else", async (text) => {
    expect(await yamlText([text])).toBe(`- "${text}"\n`);
  });

  test("writes several lines and what acts on a terminal as escapes", async () => {
    expect(await yamlText({ "a\nb": "x\u001b[2J\u202e\u{e0041}\n" })).toBe(
      '"a\\nb": "x\\e[2J\\U0000202e\\U000e0041\\n"\n',
    );
  });

  test("repeats a value that stands there twice instead of pointing to it", async () => {
    const shared = { type: "NonceSyncFailed" };
    expect(await yamlText([shared, shared])).toBe("- type: NonceSyncFailed\n- type: NonceSyncFailed\n");
  });

  test("is read back as the same data", async () => {
    const documents = fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.stringify(value));
    await fc.assert(
      fc.asyncProperty(documents, async (json) => {
        expect(parse(await yamlText(parseJson(json)))).toEqual(JSON.parse(json));
      }),
    );
  });
});
