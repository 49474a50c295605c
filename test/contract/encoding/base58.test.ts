import { base58Bytes, base58Text, solanaAddressProblem } from "../../../src/contract/encoding/base58.ts";

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
