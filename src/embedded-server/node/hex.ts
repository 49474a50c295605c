import type { JsonValue } from "../../contract/json.ts";

/** A quantity as Ethereum's JSON-RPC writes one. */
export function hex(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

/** Hex digits are the same in both cases. */
export function isSame(asked: JsonValue | undefined, known: JsonValue | undefined): boolean {
  return typeof asked === "string" && typeof known === "string" && asked.toLowerCase() === known.toLowerCase();
}
