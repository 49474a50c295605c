import type { Pagination } from "../contract/envelope.ts";
import { type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import type { WireReply } from "../contract/wire.ts";
import type { Refusal } from "./refusal.ts";

/** What a handler has to say. */
export interface Answer {
  /** 200 unless said. */
  status?: number;
  data: JsonValue;
  pagination?: Pagination;
}

/** An answer that has no envelope (service-facts 3.6). */
export interface BareAnswer {
  status?: number;
  text: string;
  type?: string;
}

/** On every reply, so that nobody takes this server for a real one (faults M3). */
export const DEMO = { "x-relayctl-demo": "1" };
export const JSON_TYPE = { "content-type": "application/json" };
const encoder = new TextEncoder();

/** The reply of a handler. */
export function replyOf(answer: Answer | BareAnswer): WireReply {
  return "text" in answer ? bareReply(answer) : successReply(answer);
}

function bareReply({ status = 200, text, type }: BareAnswer): WireReply {
  return { status, headers: { ...(type && { "content-type": type }), ...DEMO }, body: encoder.encode(text) };
}

/** interface.md, Response envelope. Nothing here runs a plugin, so that `logs` and `traces` are empty. */
function successReply({ status = 200, data, pagination }: Answer): WireReply {
  const envelope: JsonObject = { success: true, data, error: "", metadata: { logs: [], traces: [] } };
  if (pagination) envelope.pagination = { ...pagination };
  return { status, headers: { ...JSON_TYPE, ...DEMO }, body: encoder.encode(writeJson(envelope)) };
}

/** interface.md, Response envelope, failure shape. */
export function failureReply({ status, message, headers }: Refusal): WireReply {
  if (message === "") return { status, headers: { ...DEMO, ...headers }, body: new Uint8Array() };
  const body = encoder.encode(writeJson({ success: false, data: null, message }));
  return { status, headers: { ...JSON_TYPE, ...DEMO, ...headers }, body };
}
