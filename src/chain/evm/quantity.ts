import type { JsonValue } from "../../contract/json.ts";

/** Returns the number of an Ethereum JSON-RPC quantity of at most 256 bits; undefined for anything else. */
export function parseQuantity(value: JsonValue | undefined): bigint | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined;
}

export function quantityText(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

export function blockTagText(at: bigint | string): string {
  return typeof at === "bigint" ? quantityText(at) : at;
}

export function hexHash(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined;
}

export function hexAddress(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value) ? value.toLowerCase() : undefined;
}

export function hexBytes(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && /^0x(?:[0-9a-f]{2})*$/i.test(value) ? value.toLowerCase() : undefined;
}
