import { type JsonValue, writeJson } from "../../../src/contract/json.ts";
import type { WireReply } from "../../../src/contract/wire.ts";

/** A response of any status: a text or bytes as they are, anything else as JSON. */
export function reply(status: number, body: object | string = "", headers: Record<string, string> = {}): WireReply {
  if (body instanceof Uint8Array) return { status, headers, body };
  const text = typeof body === "string" ? body : writeJson(body as JsonValue);
  return { status, headers, body: new TextEncoder().encode(text) };
}

/** The success shape around `data`, which is JSON text where JavaScript would round a number. */
export function success(data: object | string, pagination?: object, status = 200): WireReply {
  const text = typeof data === "string" ? data : writeJson(data as JsonValue);
  const pages = pagination ? `,"pagination":${writeJson(pagination as JsonValue)}` : "";
  return reply(status, `{"success":true,"data":${text},"error":null${pages}}`);
}

/** All of a list on one page, counted as each service does. */
export function wholeList(items: readonly unknown[]): WireReply {
  return success(items, { current_page: 1, per_page: 1000, total_items: items.length });
}

/** The page of a list that a request asks for. */
export function pageReply(items: readonly unknown[], target: string): WireReply {
  const query = new URL(target, "http://service").searchParams;
  const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
  const shown = items.slice((page - 1) * size, page * size);
  return success(shown, { current_page: page, per_page: size, total_items: items.length });
}

/** The failure shape of interface 1.3. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): WireReply {
  return reply(status, { data: null, message, success: false }, headers);
}
