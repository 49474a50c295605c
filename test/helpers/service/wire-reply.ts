import type { WireReply } from "../../../src/contract/wire.ts";

export type { World } from "../test-app.ts";

/** A reply as it comes over the wire. */
export function wireReply(status: number, body: string, headers: Record<string, string> = {}): WireReply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: new TextEncoder().encode(body) };
}
