import {
  isCompactJson,
  type JsonObject,
  type JsonValue,
  parseJson,
  withLastJsonMember,
  writeJson,
} from "../../contract/json.ts";
import { type ItemSpan, type ListItem, listItemFieldText, listItemValue } from "../../contract/reply/list-reply.ts";
import { isRpcUrlWithoutSecrets, RPC_URL_FIELDS, withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { escapePipedJson } from "../escape.ts";

export function ndjsonLine(value: JsonValue): string {
  return lineFor(writeJson(value));
}

/** Returns an object's NDJSON with a last member, like `ndjsonLine` of `withLastJsonMember`. */
export function ndjsonLineWith(object: JsonObject, text: string, name: string, value: JsonValue): string {
  if (!isCompactJson(text) || text === "{}" || Object.hasOwn(object, name))
    return ndjsonLine(withLastJsonMember(object, name, value));
  return lineFor(`${text.slice(0, -1)},${writeJson({ [name]: value }).slice(1)}`);
}

function lineFor(json: string): string {
  return `${escapePipedJson(json)}\n`;
}

const LINE_END = 0x0a;
/** How many texts are remembered, and of how many bytes. */
const [MOST_TEXTS, LONGEST_TEXT] = [256, 1024];
const encoder = new TextEncoder();

/** Items already in that form are taken from the response. @param isLent whether it may be overwritten */
export function ndjsonBytes(items: readonly ListItem[], isLent = false, harmless = new Set<string>()): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let index = 0; index < items.length; ) {
    const end = endOfRun(items, index, harmless);
    pieces.push(end > index ? linesBetween(items, index, end, isLent) : writtenLine(items[index] as ListItem));
    index = Math.max(end, index + 1);
  }
  const [only] = pieces;
  return only && pieces.length === 1 ? only : Buffer.concat(pieces);
}

function endOfRun(items: readonly ListItem[], from: number, harmless: Set<string>): number {
  const first = items[from] as ListItem;
  if ("value" in first) return from;
  const { keys } = first.list;
  const secret = RPC_URL_FIELDS.filter((field) => keys.indexOf(field) !== undefined);
  let before: ItemSpan | undefined;
  for (let end = from; end < items.length; end++) {
    const item = items[end] as ListItem;
    if (!item.isPlain || (secret.length > 0 && secret.some((field) => hasSecret(item, field, harmless)))) return end;
    if (before && (item.list !== before.list || item.start !== before.end + 1)) return end;
    before = item;
  }
  return items.length;
}

function hasSecret(item: ItemSpan, field: string, harmless: Set<string>): boolean {
  const text = listItemFieldText(item, field);
  if (text === undefined || harmless.has(text)) return false;
  if (!isRpcUrlWithoutSecrets(parseJson(Buffer.from(text, "latin1").toString()))) return true;
  if (harmless.size < MOST_TEXTS && text.length <= LONGEST_TEXT) harmless.add(text);
  return false;
}

function linesBetween(items: readonly ListItem[], from: number, to: number, isLent: boolean): Uint8Array {
  const { bytes, start } = items[from] as ItemSpan;
  const { end } = items[to - 1] as ItemSpan;
  const source = bytes.subarray(start, end + 1);
  const lines = isLent ? source : new Uint8Array(source);
  for (let index = from; index < to; index++) lines[(items[index] as ItemSpan).end - start] = LINE_END;
  return lines;
}

function writtenLine(item: ListItem): Uint8Array {
  return encoder.encode(ndjsonLine(withMaskedRpcUrls(listItemValue(item))));
}
