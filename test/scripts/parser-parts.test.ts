import { createRequire } from "node:module";
import { joined, partsOf } from "../../scripts/parser-parts.js";

const require = createRequire(import.meta.url);

test("the HTTP parser without SIMD is made of the other one, byte for byte, and little more", () => {
  const plain: Buffer = require("undici/lib/llhttp/llhttp-wasm.js");
  const simd: Buffer = require("undici/lib/llhttp/llhttp_simd-wasm.js");
  const parts = partsOf(plain, simd);
  expect(joined(parts, simd).equals(plain)).toBe(true);
  expect(JSON.stringify(parts).length).toBeLessThan(1000);
});

test.each([
  ["the same bytes", "a".repeat(40), "a".repeat(40)],
  ["nothing in common", "abcdefghijklmnopqrstuvwxyz", "0123456789".repeat(5)],
  ["a piece at another place, and other bytes around it", `x${"0123456789".repeat(3)}y`, `--${"0123456789".repeat(3)}`],
  ["fewer bytes than a piece", "abc", "abc"],
  ["no bytes", "", "abc"],
])("bytes with %s are put together again", (_, bytes, others) => {
  const [whole, source] = [Buffer.from(bytes), Buffer.from(others)];
  expect(joined(partsOf(whole, source), source).equals(whole)).toBe(true);
});
