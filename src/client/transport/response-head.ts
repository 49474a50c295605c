import type { ReplyHeaders } from "./reply-collector.ts";

/** Options for parsing responses, regardless of NODE_OPTIONS: no leniency, and at most 16 KiB of headers. */
export const STRICT = { insecureHTTPParser: false, maxHeaderSize: 16_384 } as const;

export interface ParsedHead {
  status: number;
  headers: ReplyHeaders;
  /** The length of the body in bytes, or how it ends: with its last chunk, or with the connection. */
  length: number | "chunks" | "close";
  keepsAlive: boolean;
}

/** A name in lowercase, and a value without the spaces around it. */
export type HeaderField = readonly [name: string, value: string];

/** Interim responses that may precede the response: processing (RFC 2518) and early hints (RFC 8297). */
export const INTERIM: readonly number[] = [102, 103];

/** Fields about the connection and the end of the body, which can't be trailers (RFC 9110, 6.5.1 and 7.6.1). */
export const ABOUT_CONNECTION: readonly string[] = [
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Statuses of responses without a body, whatever their fields say. */
const BODILESS: readonly number[] = [...INTERIM, 204, 304];

/** A supported version and three digits (RFC 9112, 4). */
const STATUS_LINE = /^HTTP\/(1\.[01]) ([1-9][0-9]{2})(?: [\t -~\x80-\xff]*)?$/;
/** A field on one line (RFC 9112, 5). */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)$/;

/** Returns the field in a line; undefined if it isn't one, or parsers disagree about a connection's field. */
export function responseHeadField(line: string): HeaderField | undefined {
  const [, spelled, value = ""] = FIELD.exec(line) ?? [];
  const name = spelled?.toLowerCase();
  if (name === undefined || (ABOUT_CONNECTION.includes(name) && value.includes("\t"))) return undefined;
  return [name, withoutBlanks(value)];
}

/** Returns the head, or undefined if it is malformed or the end of the body is uncertain. */
export function responseHead(statusLine: string, fields: readonly HeaderField[]): ParsedHead | undefined {
  const [, version, digits] = STATUS_LINE.exec(statusLine) ?? [];
  const status = Number(digits);
  const listValues = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value);
  const length = lengthBy(listValues("content-length"), listValues("transfer-encoding"), version);
  if (version === undefined || length === undefined) return undefined;
  const isBodiless = BODILESS.includes(status);
  const keepsAlive =
    version === "1.1" && (isBodiless || length !== "close") && !/close/i.test(listValues("connection").join());
  return { status, headers: byName(fields), length: isBodiless ? 0 : length, keepsAlive };
}

function lengthBy(lengths: readonly string[], codings: readonly string[], version: string | undefined) {
  const [length, coding] = [lengths[0], codings[0]];
  if (lengths.length + codings.length > 1) return undefined;
  if (length !== undefined) return /^[0-9]{1,19}$/.test(length) ? Number(length) : undefined;
  if (coding !== undefined) return version === "1.1" && /^chunked$/i.test(coding) ? "chunks" : undefined;
  return "close";
}

function byName(fields: readonly HeaderField[]): ReplyHeaders {
  const headers: Record<string, string[]> = Object.create(null);
  for (const [name, value] of fields) {
    headers[name] ??= [];
    headers[name].push(value);
  }
  return headers;
}

/** Removes only spaces and tabs, unlike `trim`, and in linear time. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
