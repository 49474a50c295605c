import { type JsonValue, writeJson } from "../contract/json.ts";
import type { Pagination } from "../contract/reply/envelope.ts";
import { dataText } from "./data-text.ts";
import type { Refusal } from "./refusal.ts";

/** What a handler has to say. */
export interface SuccessReply {
  /** 200 unless said. */
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

/** A reply as it goes out. All that this server says is text. */
export interface TextReply {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Sent with every response, so that nobody takes this server for a real one (promises 9). */
export const DEMO = { "x-relayctl-demo": "1" };
export const JSON_TYPE = { "content-type": "application/json" };
const JSON_HEADERS = { ...JSON_TYPE, ...DEMO };

/** The reply of a handler. */
export function replyOf(success: SuccessReply | BareReply): TextReply {
  return "text" in success ? bareReply(success) : successReply(success);
}

function bareReply({ status = 200, text, type }: BareReply): TextReply {
  return { status, headers: { ...(type && { "content-type": type }), ...DEMO }, text };
}

/** interface 1.3. No plugin runs here, so `logs` and `traces` are empty. */
function successReply({ status = 200, data, pagination }: SuccessReply): TextReply {
  const fields = `"success":true,"data":${dataText(data)},"error":"","metadata":{"logs":[],"traces":[]}`;
  return { status, headers: JSON_HEADERS, text: `{${fields}${paginationText(pagination)}}` };
}

/** The last member of an envelope, with the comma before it; nothing where there is none. */
export function paginationText(pagination: Pagination | undefined): string {
  return pagination ? `,"pagination":${writeJson({ ...pagination })}` : "";
}

/** The failure shape of interface 1.3. */
export function failureReply({ status, message, headers }: Refusal): TextReply {
  if (message === "") return { status, headers: { ...DEMO, ...headers }, text: "" };
  return { status, headers: { ...JSON_HEADERS, ...headers }, text: writeJson({ success: false, data: null, message }) };
}
