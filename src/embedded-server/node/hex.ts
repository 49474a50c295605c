import type { JsonValue } from "../../contract/json.ts";

/** Formats a quantity for Ethereum's JSON-RPC. */
export function hex(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

/** Compares hex digits, ignoring case. */
export function isSame(requested: JsonValue | undefined, known: JsonValue | undefined): boolean {
  return typeof requested === "string" && typeof known === "string" && requested.toLowerCase() === known.toLowerCase();
}
