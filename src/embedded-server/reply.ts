import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import type { Pagination } from "../contract/reply/envelope.ts";
import type { Refusal } from "./refusal.ts";

/** The maximum number of cached results of a function before all are dropped. A WeakMap costs ten times as much per object. */
const MOST = 2000;

/** Memoizes a function of immutable objects, such as those in a collection. */
export type Memo = <Thing extends object, Made>(make: (thing: Thing) => Made, thing: Thing) => Made;

/** Creates a server's cache, which keeps the latest objects' results. */
export function createReplyCache(): Memo {
  const known = new Map<unknown, Map<object, { made: unknown }>>();
  return <Thing extends object, Made>(make: (thing: Thing) => Made, thing: Thing) => {
    const things = known.get(make) ?? new Map<object, { made: unknown }>();
    const found = things.get(thing);
    if (found) return found.made as Made;
    const made = make(thing);
    if (things.size >= MOST) things.clear();
    known.set(make, things.set(thing, { made }));
    return made;
  };
}

export interface SuccessReply {
  /** Default: 200. */
  status?: number;
  data: JsonValue;
  pagination?: Pagination;
}

/** A response without an envelope (facts 3.6). */
export interface BareReply {
  status?: number;
  text: string;
  type?: string;
}

export interface TextReply {
  status: number;
  /** Names in lowercase. */
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Distinguishes every response from a real service's (promises 9). */
export const DEMO = { "x-relayctl-demo": "1" };
export const JSON_TYPE = { "content-type": "application/json" };
const JSON_HEADERS = { ...JSON_TYPE, ...DEMO };

export function serverReply(success: SuccessReply | BareReply, memo: Memo): TextReply {
  return "text" in success ? bareReply(success) : successReply(success, memo);
}

function bareReply({ status = 200, text, type }: BareReply): TextReply {
  return { status, headers: { ...(type && { "content-type": type }), ...DEMO }, text };
}

/** Returns a success response (interface 1.3). No plugin runs here, so `logs` and `traces` are empty. */
function successReply({ status = 200, data, pagination }: SuccessReply, memo: Memo): TextReply {
  const fields = `"success":true,"data":${replyDataText(data, memo)},"error":"","metadata":{"logs":[],"traces":[]}`;
  return { status, headers: JSON_HEADERS, text: `{${fields}${replyPaginationText(pagination)}}` };
}

/** Returns an envelope's last field with its leading comma, if there is pagination. */
export function replyPaginationText(pagination: Pagination | undefined): string {
  return pagination ? `,"pagination":${writeJson({ ...pagination })}` : "";
}

/** Returns a failure in the shape of interface 1.3. */
export function failureReply({ status, message, headers }: Refusal): TextReply {
  if (message === "") return { status, headers: { ...DEMO, ...headers }, text: "" };
  return { status, headers: { ...JSON_HEADERS, ...headers }, text: writeJson({ success: false, data: null, message }) };
}

/** Returns a response's data as JSON. Items of a list are requested repeatedly, so each is serialized once. */
export function replyDataText(data: JsonValue, memo: Memo): string {
  return Array.isArray(data)
    ? `[${data.map((item) => (isJsonObject(item) ? memo(objectText, item) : writeJson(item))).join(",")}]`
    : writeJson(data);
}

function objectText(item: JsonObject): string {
  return inOnePiece(writeJson(item));
}

/** Flattens a concatenated string: joining V8's pieces takes ten times as long. */
function inOnePiece(text: string): string {
  text.at(0);
  return text;
}
