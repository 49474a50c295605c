import { strictUtf8 } from "../contract/encoding/utf8.ts";
import type { Method, WireRequest } from "../contract/wire.ts";
import { badRequest, noRoute, Refusal, tooLarge } from "./refusal.ts";

export interface Incoming extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  url?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn: other properties only keep one value of a repeated header. */
  rawHeaders: readonly string[];
}

/** The maximum in bytes (facts 1.8). */
const MAX_BODY = 2_097_152;
const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"] satisfies Method[];

/** Matches a Host header of this machine: a page in a browser can reach it under other names (promises 9). */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?$/i;

/** Returns a request in the server function's form, without its body. @throws Refusal */
export function incomingHead(incoming: Incoming): WireRequest {
  const headers = textHeaders(incoming);
  const { host = "", origin } = headers;
  if (!LOOPBACK.test(host)) throw new Refusal(421, "Misdirected Request");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase())
    throw new Refusal(403, "Origin not allowed");
  if (!isMethod(incoming.method)) throw noRoute();
  return { method: incoming.method, target: incoming.url ?? "/", headers };
}

/** Reads the whole body of a request. @throws Refusal */
export async function incomingWithBody(head: WireRequest, chunks: AsyncIterable<Uint8Array>): Promise<WireRequest> {
  const body = incomingHasBody(head.headers) ? await bodyText(chunks, head.headers["content-length"]) : "";
  return body === "" ? head : { ...head, body };
}

/** Returns whether a request has a body (RFC 9112, 6). Most are reads, which are faster this way. */
export function incomingHasBody(headers: Readonly<Record<string, string>>): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function isMethod(method: string | undefined): method is Method {
  return method !== undefined && METHODS.includes(method);
}

/** Returns the headers as text. Credentials that are sent twice count as none (facts 1.2). */
function textHeaders({ headers, rawHeaders }: Incoming): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name in headers) texts[name] = String(headers[name]);
  const credentials = rawHeaders.filter((_, at) => at % 2 === 1 && /^authorization$/i.test(rawHeaders[at - 1] ?? ""));
  if (credentials.length > 1) texts.authorization = credentials.join(", ");
  return texts;
}

/** Reads the body as text, to its end even if it is too large, so that the client sees the response. */
async function bodyText(chunks: AsyncIterable<Uint8Array>, declared: string | undefined): Promise<string> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size <= MAX_BODY) kept.push(chunk);
  }
  if (size > MAX_BODY) throw tooLarge(MAX_BODY, declared);
  return utf8(kept, size);
}

function utf8(chunks: readonly Uint8Array[], size: number): string {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const text = strictUtf8(bytes);
  if (text === undefined) throw badRequest();
  return text;
}
