import { jsonValueText } from "../../../src/terminal/render/value.ts";
import { MAX_U128, relayer } from "../sample-relayers.ts";

test("keeps order, unknown members, nulls, and every digit", () =>
  expect(jsonValueText(relayer(`{"z":null,"7":1.0,"a":{"cap":${MAX_U128}},"e":1e21}`))).toBe(`\
{
  "z": null,
  "7": 1.0,
  "a": {
    "cap": ${MAX_U128}
  },
  "e": 1e21
}
`));
