import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import { fieldCurrency } from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isMasked, MASK, maskRpcUrl } from "../../../contract/rpc-url.ts";
import { fieldParts, heldIn, type Part, type PartField } from "../edit/part.ts";
import { documentParts, keyOf } from "./document-parts.ts";
import { fieldNotes, noteOf } from "./field-notes.ts";

/**
 * RPC URLs for a text that comes back: masked, also where only user-info is left out, so that no URL without its secret
 * can be taken for a whole one.
 */
function shownUrls(urls: JsonValue | undefined): JsonValue {
  if (!Array.isArray(urls)) return urls ?? null;
  return urls.map((entry) =>
    isJsonObject(entry) && typeof entry.url === "string" ? { ...entry, url: shownUrl(entry.url) } : entry,
  );
}

function shownUrl(url: string): string {
  const masked = maskRpcUrl(url);
  return masked === url || isMasked(masked) ? masked : masked.replace("://", `://${MASK}@`);
}

/** One member of the document. */
export interface Entry {
  key: string;
  /** Comments above it. */
  notes: readonly string[];
  value: JsonValue;
  /** How the value reads: `80 gwei`. */
  reading?: string | undefined;
  /** What stands inside, where each member has comments of its own. */
  fields?: readonly Entry[];
}

/** Everything about a relayer that can be changed; what is unset is null. It holds no secret. */
export function entriesOf(relayer: Relayer, symbol: string | undefined): Entry[] {
  const shown = {
    ...relayer,
    custom_rpc_urls: shownUrls(relayer.custom_rpc_urls),
    policies: relayer.policies ?? {},
  };
  return documentParts(relayer, symbol).map((part) => entryOf(part, shown));
}

function entryOf(part: Part, relayer: Relayer): Entry {
  const { path, field } = part;
  const key = keyOf(part);
  const value = heldIn(relayer, part);
  if (field.type !== "object" || !isJsonObject(value)) {
    return { key, notes: notesOf(field, value), value, reading: readingOf(field, value) };
  }
  const fields = fieldParts(field.fields, `${path}.`).map((inner) => entryOf(inner, relayer));
  return { key, notes: [noteOf(field)], value, fields };
}

const MASKED = ["the service masks these URLs: keep the list unchanged, or replace the whole list; *** is rejected"];

function notesOf(field: PartField, value: JsonValue): string[] {
  return [...fieldNotes(field), ...(field.type === "rpc_urls" && value !== null ? MASKED : [])];
}

function readingOf(field: PartField, value: JsonValue): string | undefined {
  const amount = field.type === "amount" ? wireAmount(value) : undefined;
  return field.type === "amount" && amount !== undefined ? formatAmount(amount, fieldCurrency(field)) : undefined;
}
