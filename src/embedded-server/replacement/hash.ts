import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { hexDigits } from "../digits.ts";

export function transactionHash(kind: NetworkKind, number: number): string {
  if (kind === "evm") return `0x${hexDigits(number, 64)}`;
  return kind === "stellar" ? hexDigits(number, 64) : hexDigits(number, 88).replaceAll("0", "g");
}

/** Returns a fake signature with the fields of facts 5.2: hex without `0x`, `v` 0 or 1. */
export function evmSignature(number: number): JsonObject {
  const [r, s] = [hexDigits(number + 1_000_000, 64), hexDigits(number + 2_000_000, 64)];
  const v = number % 2;
  return { r, s, v, sig: `${r}${s}0${v}` };
}
