import { isJsonObject, type JsonValue, objectIn } from "../contract/json.ts";
import type { Entry, Intent, Journal } from "../journal/journal.ts";
import { normalizeSearchTerm, type SearchTerm } from "./search.ts";

export async function searchBodies(journal: Journal, { form, text }: SearchTerm): Promise<readonly Entry[]> {
  const isAbout = form === "address" ? isToAddress : isOfResource;
  const found: Entry[] = [];
  const outcomes = new Set<string>();
  for await (const entry of journal.newestFirst()) {
    const isOutcome = form === "nonce" && entry.type === "outcome" && String(entry.after?.nonce) === text;
    if (isOutcome) outcomes.add(entry.id);
    const isIntent = entry.type === "intent" && (form === "nonce" ? isOfNonce(entry, text) : isAbout(entry, text));
    if (isOutcome || outcomes.has(entry.id) || isIntent) found.push(entry);
  }
  return found.reverse();
}

function isOfNonce({ operation, before }: Intent, nonce: string): boolean {
  return operation.startsWith("tx.") && String(before?.nonce) === nonce;
}

function isOfResource({ ids, body }: Intent, text: string): boolean {
  const created = objectIn(body).id;
  return [...Object.values(ids), created].includes(text);
}

function isToAddress({ operation, body, before }: Intent, address: string): boolean {
  const replaced = operation === "relayers.delete" ? before?.address : before?.to;
  return holdsAddress(body, address) || isEqual(replaced, address);
}

function holdsAddress(value: JsonValue | undefined, address: string): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsAddress(item, address));
  if (isJsonObject(value)) return Object.values(value).some((member) => holdsAddress(member as JsonValue, address));
  return isEqual(value, address) || isInCallData(value, address);
}

function isEqual(value: JsonValue | undefined, address: string): boolean {
  return typeof value === "string" && normalizeSearchTerm(value) === address;
}

/** Matches call data: a selector and parameters of 32 bytes. */
const CALL_DATA = /^0x[0-9a-f]{8}(?:[0-9a-f]{64})+$/i;

function isInCallData(value: JsonValue | undefined, address: string): boolean {
  if (typeof value !== "string" || !address.startsWith("0x") || !CALL_DATA.test(value)) return false;
  const parameters: readonly string[] = value.slice(10).toLowerCase().match(/.{64}/g) ?? [];
  return parameters.includes(address.slice(2).padStart(64, "0"));
}
