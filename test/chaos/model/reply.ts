import type { WireReply } from "../../../src/contract/wire.ts";

const encoder = new TextEncoder();

export function reply(status: number, body: object, headers: Record<string, string> = {}): WireReply {
  return { status, headers, body: encoder.encode(JSON.stringify(body)) };
}

/** The success envelope (facts 1.7). */
export function success(data: object, pagination?: object): WireReply {
  return reply(200, { success: true, data, error: null, pagination });
}

export function page(status: number, html: string): WireReply {
  return { status, headers: { "content-type": "text/html" }, body: encoder.encode(html) };
}
