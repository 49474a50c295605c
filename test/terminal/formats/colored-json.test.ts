import fc from "fast-check";
import { coloredJson } from "../../../src/terminal/formats/colored-json.ts";
import { createStyle } from "../../../src/terminal/style.ts";

const style = await createStyle(true);

test("colors keys, texts, numbers, and words", () =>
  expect(coloredJson('{"a": "b", "c": [1.5e3, true, null]}', style)).toBe(
    '{\u001b[2m"a"\u001b[22m: \u001b[32m"b"\u001b[39m, \u001b[2m"c"\u001b[22m: ' +
      "[\u001b[33m1.5e3\u001b[39m, \u001b[33mtrue\u001b[39m, \u001b[2mnull\u001b[22m]}",
  ));

test("changes nothing but colors", () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const shown = json.replaceAll("\u001b", "");
      expect(coloredJson(shown, style).replaceAll(/\u001b\[\d+m/g, "")).toBe(shown);
    }),
  );
});
