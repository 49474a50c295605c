import fc from "fast-check";
import { base58Bytes, base58Text, solanaAddressProblem } from "../../../src/contract/encoding/base58.ts";
import { base64Bytes } from "../../../src/contract/encoding/base64.ts";
import { type StrkeyKind, strkeyProblem } from "../../../src/contract/encoding/strkey.ts";
import { isSignedXdr } from "../../../src/contract/requests/transaction/stellar/fields.ts";
import { envelopeXdr } from "../xdr-envelope.ts";

describe("base64", () => {
  test.each(["A", "AA", "AAA", "AA=", "A===", "====", "AA==AAAA", "AA AA", "AAA\n", "AA_-", "AAAAA==="])(
    "not %j",
    (text) => expect(base64Bytes(text)).toBeUndefined(),
  );

  test("converts a text of any length", () => expect(base64Bytes("A".repeat(2 ** 24))?.length).toBe(3 * 2 ** 22));
});

describe("base58", () => {
  const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  /** As the token program's bytes are written elsewhere. */
  const TOKEN_HEX = "06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9";

  test("converts an address to bytes and back", () => {
    expect(Buffer.from(base58Bytes(TOKEN) ?? []).toString("hex")).toBe(TOKEN_HEX);
    expect(base58Text(Uint8Array.from(Buffer.from(TOKEN_HEX, "hex")))).toBe(TOKEN);
  });

  test("converts leading zeros to ones and back", () => {
    expect(base58Bytes("1".repeat(32))).toEqual(new Uint8Array(32));
    expect(base58Text(new Uint8Array(32))).toBe("1".repeat(32));
    expect(base58Text(Uint8Array.from([0, 0, 1]))).toBe("112");
    expect(base58Bytes("112")).toEqual(Uint8Array.from([0, 0, 1]));
  });

  test("rejects characters that look like others", () => {
    for (const character of "0OIl+/") expect(base58Bytes(`2${character}`)).toBeUndefined();
  });

  test.each([
    [TOKEN, undefined],
    ["1".repeat(32), undefined],
    ["", "needs 32 to 44 base58 characters"],
    ["2".repeat(31), "needs 32 to 44 base58 characters"],
    [TOKEN.slice(0, -1), "needs 32 bytes in base58, not 31"],
    ["z".repeat(45), "needs 32 to 44 base58 characters"],
  ])("%s", (text, problem) => expect(solanaAddressProblem(text)).toBe(problem));
});

/** The examples of SEP-23, and the account of the recorded exchanges. */
const ADDRESSES: readonly [StrkeyKind, string][] = [
  ["G", "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"],
  ["G", "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7"],
  ["M", "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ"],
  ["C", "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE"],
];

test.each(ADDRESSES)("%s: %s is valid", (kind, address) => {
  expect(strkeyProblem(address, ["G", "M", "C"])).toBeUndefined();
  expect(strkeyProblem(address, [kind])).toBeUndefined();
});

test.each(ADDRESSES)("%s: a mistyped character anywhere in %s is found", (kind, address) => {
  for (let index = 1; index < address.length; index++) {
    for (const other of ["A", "B", "7"].filter((each) => each !== address[index]))
      expect(strkeyProblem(address.slice(0, index) + other + address.slice(index + 1), [kind])).toMatch(/checksum/);
  }
});

test.each([
  ["GA7QYNF7", ["G"], "has 8 characters; an address that begins with G has 56"],
  ["", ["G"], "needs an account (G…)"],
  [
    "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE",
    ["G", "M"],
    "needs an account (G…) or a muxed account (M…)",
  ],
  ["GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJV1GZ", ["G"], "has characters other than A to Z and 2 to 7"],
] as const)("%s is not one of %j", (text, kinds, problem) => expect(strkeyProblem(text, kinds)).toBe(problem));

describe("an envelope", () => {
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
});
