import type { ItemSpan } from "../../contract/json/outline.ts";
import { isCompactJson, type JsonObject, type JsonValue, withLastMember, writeJson } from "../../contract/json.ts";
import { itemValue, type ListItem } from "../../contract/reply/list-reply.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { pipedJson } from "../escape.ts";

/** Returns a value on one line. */
export function ndjsonLine(value: JsonValue): string {
  return lineOf(writeJson(value));
}

/**
 * Returns a parsed JSON text of an object on one line with a member at the end; the same as `ndjsonLine` of
 * `withLastMember`, without writing again what was read.
 */
export function ndjsonLineWith(object: JsonObject, text: string, name: string, value: JsonValue): string {
  if (!isCompactJson(text) || text === "{}" || Object.hasOwn(object, name))
    return ndjsonLine(withLastMember(object, name, value));
  return lineOf(`${text.slice(0, -1)},${writeJson({ [name]: value }).slice(1)}`);
}

function lineOf(json: string): string {
  return `${pipedJson(json)}\n`;
}

const LINE_END = 0x0a;
const encoder = new TextEncoder();

/**
 * Returns items as NDJSON, with the same bytes as `ndjsonLine`. Items whose source text is already in that form are
 * copied from the response, many at a time.
 */
export function ndjsonBytes(items: readonly ListItem[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let index = 0; index < items.length; ) {
    const run = plainRun(items, index);
    pieces.push(run.length > 0 ? copiedLines(run) : writtenLine(items[index] as ListItem));
    index += Math.max(1, run.length);
  }
  const [only] = pieces;
  return only && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** Returns the items from here on that can be copied and are separated by one comma. */
function plainRun(items: readonly ListItem[], from: number): readonly ItemSpan[] {
  let end = from;
  for (let before: ItemSpan | undefined; end < items.length; end++) {
    const item = items[end];
    if (!item?.isPlain || (before && (item.bytes !== before.bytes || item.start !== before.end + 1))) break;
    before = item;
  }
  return items.slice(from, end) as ItemSpan[];
}

/** Returns the bytes of the items, with a line ending for each comma and one at the end. */
function copiedLines(items: readonly ItemSpan[]): Uint8Array {
  const { bytes, start } = items[0] as ItemSpan;
  const { end } = items.at(-1) as ItemSpan;
  const lines = new Uint8Array(end - start + 1);
  lines.set(bytes.subarray(start, end));
  for (const item of items) lines[item.end - start] = LINE_END;
  return lines;
}

function writtenLine(item: ListItem): Uint8Array {
  return encoder.encode(ndjsonLine(withMaskedRpcUrls(itemValue(item))));
}
