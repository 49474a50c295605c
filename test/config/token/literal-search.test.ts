import fc from "fast-check";
import { expect, test } from "vitest";
import { createLiteralSearch } from "../../../src/config/token/secrets.ts";
import { runs } from "../../helpers/deep.ts";

const text = fc
  .array(fc.constantFrom(0, 0x61, 0x62, 0xff), { minLength: 2, maxLength: 6 })
  .map((bytes) => Buffer.from(bytes));
const bytes = fc.array(fc.constantFrom(0, 0x61, 0x62, 0xff), { maxLength: 40 }).map((bytes) => Buffer.from(bytes));

test("finds what a search for each text finds", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), bytes, (texts, bytes) => {
      expect(createLiteralSearch(texts)(bytes)).toBe(texts.some((text) => bytes.includes(text)));
    }),
    runs(150, 40_000),
  );
});

test.each([255, 256, 257, 600])("finds a text of %i bytes at any place", (length) => {
  const long = Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 251));
  const search = createLiteralSearch([long]);
  for (let before = 0; before < 2 * length; before++) {
    const around = Buffer.concat([Buffer.alloc(before, "-"), long, Buffer.alloc(3)]);
    expect(search(around)).toBe(true);
    expect(search(around.subarray(0, before + length - 1))).toBe(false);
  }
});
