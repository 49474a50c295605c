import fc from "fast-check";
import { isSignedXdr } from "../../../src/contract/encoding/xdr.ts";
import { envelopeXdr } from "../xdr-envelope.ts";

test("without signatures is unsigned", () => expect(isSignedXdr(envelopeXdr(0))).toBe(false));

test.each([1, 2, 20])("with %i signatures is signed", (signatures) => {
  expect(isSignedXdr(envelopeXdr(signatures))).toBe(true);
});

test("may have the old form or a fee bump", () =>
  expect([isSignedXdr(envelopeXdr(1, 0)), isSignedXdr(envelopeXdr(0, 5))]).toEqual([true, false]));

test.each(["", "AAAA", "AAAAA", "====", "AAAAAg=A", "not base64", "AAAAAgAA", envelopeXdr(1, 9)])(
  "%j is not a known envelope",
  (text) => expect(isSignedXdr(text)).toBeUndefined(),
);

test("is checked without throwing for any text", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => isSignedXdr(text) !== null));
});
