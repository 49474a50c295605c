import type { JsonObject } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";

/** Returns hex digits for a seed; two seeds below 2^32 differ in their first eight digits. */
export function hexDigits(seed: number, length: number): string {
  let digits = "";
  for (let word = 0; digits.length < length; word++) {
    digits += mixBits(Math.imul(seed + 1, 0x9e3779b1) + Math.imul(word, 0x7feb352d))
      .toString(16)
      .padStart(8, "0");
  }
  return digits.slice(0, length);
}

export function digitSeed(text: string): number {
  return [...text].reduce((seed, character) => (seed * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 31, 7);
}

/** Applies the final mix of MurmurHash3: each bit of the result depends on all bits of the word. */
function mixBits(word: number): number {
  const first = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

export function hashDigits(kind: NetworkKind, number: number): string {
  if (kind === "evm") return `0x${hexDigits(number, 64)}`;
  return kind === "stellar" ? hexDigits(number, 64) : hexDigits(number, 88).replaceAll("0", "g");
}

export function signatureDigits(transaction: string): string {
  return hexDigits(digitSeed(transaction), 88);
}

/** Returns a fake signature with the fields of facts 5.2: hex without `0x`, `v` 0 or 1. */
export function evmSignatureDigits(number: number): JsonObject {
  const [r, s] = [hexDigits(number + 1_000_000, 64), hexDigits(number + 2_000_000, 64)];
  const v = number % 2;
  return { r, s, v, sig: `${r}${s}0${v}` };
}
