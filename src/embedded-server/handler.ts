import { type JsonObject, type JsonSyntaxError, type JsonValue, parseJsonOr } from "../contract/json.ts";
import type { WireRequest } from "../contract/wire.ts";
import { badRequest, malformedBody } from "./refusal.ts";
import type { BareReply, Memo, SuccessReply } from "./reply.ts";
import type { Collection } from "./state/collection.ts";
import type { ServerStore } from "./state/store.ts";
import type { ServerRandom } from "./world.ts";

export interface HandlerCall {
  request: WireRequest;
  ids: readonly string[];
  query: URLSearchParams;
  store: ServerStore;
  random: ServerRandom;
  memo: Memo;
  /** The time of arrival, in milliseconds since 1970. */
  now: number;
}

/** Runs an operation, after checking everything. @throws Refusal */
export type Handler = (call: HandlerCall) => Promise<SuccessReply | BareReply>;

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/** `application/json`, or a type that ends with `+json`, with or without parameters (facts 1.8). */
const JSON_TYPE = /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i;

/** Returns a body as JSON (interface 1.1). @throws Refusal for another type, no JSON, or a duplicate field */
export function handlerJsonBody({ headers, body }: WireRequest): JsonValue {
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) throw malformedBody("Content type error");
  const text = body ?? "";
  return parseJsonOr(text, (mistake) => malformedBody(`Json deserialize error: ${syntaxWords(mistake, text)}`));
}

const WORDS: Readonly<Record<string, string>> = {
  "expected a value": "expected value",
  "expected a field name in quotes": "key must be a string",
  "expected :": "expected `:`",
  "expected }": "expected `,` or `}`",
  "expected ]": "expected `,` or `]`",
  "unexpected text after the end of the document": "trailing characters",
};

/** Explains why a body is not JSON, as the service reports it (facts 13.8). Its column counts the bytes read. */
function syntaxWords({ reason, line, column }: JsonSyntaxError, text: string): string {
  const lines = text.split("\n");
  const isAtEnd = line === lines.length && column > (lines.at(-1) ?? "").length;
  if (isAtEnd) return `EOF while parsing ${openAtEnd(text)} at line ${line} column ${column - 1}`;
  return `${WORDS[reason] ?? reason} at line ${line} column ${column}`;
}

function openAtEnd(text: string): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  const last = parts.at(-1) ?? "";
  if (/^"(?:[^"\\]|\\.)*$/.test(last)) return "a string";
  const open: string[] = [];
  for (const part of parts) {
    if (part === "{" || part === "[") open.push(part);
    else if (part === "}" || part === "]") open.pop();
  }
  if (last === ":" || last === "," || open.length === 0) return "a value";
  return open.at(-1) === "{" ? "an object" : "a list";
}

/** Returns the value as described by the schema. @throws Refusal */
export function validatedBody<T>(schema: Schema<T>, value: JsonValue): T {
  const found = schema.safeParse(value);
  if (!found.success) throw badRequest();
  return found.data;
}

/** Page 0, `per_page` 0, and pages past the end are empty (interface 1.5). @param first the lowest page (facts 2) */
export function pagedListReply(
  collection: Collection,
  query: URLSearchParams,
  shown: (item: JsonObject) => JsonObject,
  first = 0,
): SuccessReply {
  const page = queryNumber(query, "page", 1);
  const perPage = queryNumber(query, "per_page", 10);
  const from = Math.max(page, first) - 1;
  const items = from < 0 ? [] : collection.page(from * perPage, perPage);
  return {
    data: items.map(shown),
    pagination: { current_page: page, per_page: perPage, total_items: collection.size() },
  };
}

function queryNumber(query: URLSearchParams, name: string, absent: number): number {
  const [given, ...more] = query.getAll(name);
  if (given === undefined) return absent;
  const number = Number(given);
  if (more.length > 0 || !/^[0-9]+$/.test(given) || !Number.isSafeInteger(number)) throw badRequest();
  return number;
}
