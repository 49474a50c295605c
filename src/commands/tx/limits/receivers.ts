import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";

/** The addresses that a body sends to, as far as it shows them. */
export interface Receivers {
  addresses: readonly string[];
  /** Why there may be others. */
  hidden?: string;
}

export function receiversOf(kind: NetworkKind, body: JsonObject): Receivers {
  if (kind === "evm") return { addresses: typeof body.to === "string" ? [body.to] : ["a new contract"] };
  if (kind === "solana" || !Array.isArray(body.operations))
    return { addresses: [], hidden: "the transaction contains the receivers" };
  const destinations = body.operations.map((each) => (isJsonObject(each) ? each.destination : undefined));
  const addresses = destinations.filter((destination) => typeof destination === "string");
  return addresses.length === destinations.length
    ? { addresses }
    : { addresses, hidden: "not every operation has a receiver" };
}

/** Returns the addresses that are not on the list. The case of hex only holds its checksum. */
export function notAllowed(addresses: readonly string[], allowed: readonly string[]): string[] {
  const spelled = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address);
  const known = new Set(allowed.map(spelled));
  return addresses.filter((address) => !known.has(spelled(address)));
}
