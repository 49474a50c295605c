import { gzipSync } from "node:zlib";
import { type JsonObject, type JsonValue, writeJson } from "../../../src/contract/json.ts";
import type { Edit } from "./script.ts";

/** A reply before it is bytes. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Absent for a reply without a body. */
  json?: JsonValue;
  text?: string;
}

/** The bytes of a complete reply, as text of one byte a character. */
export function rawReply(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  return headText(status, { "content-length": String(body.length), ...headers }) + body;
}

export function headText(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${String(status).padStart(3, "0")} Words`, ...lines].join("\r\n")}\r\n\r\n`;
}

/** The reply of the service with what a script changes in it. */
export function editedReply(reply: Reply, edit: Edit = {}): string {
  const status = edit.status ?? reply.status;
  const json = reply.json === undefined ? undefined : edited(reply.json, edit.data);
  const text = (edit.before ?? "") + (json === undefined ? (reply.text ?? "") : writeJson(json)) + (edit.after ?? "");
  const type = reply.json === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...type, ...reply.headers, ...edit.headers };
  const plain = Buffer.from(text).toString("latin1");
  switch (edit.encoding ?? "plain") {
    case "chunked":
      return headText(status, { ...headers, "transfer-encoding": "chunked" }) + kept(chunked(plain), edit.keep);
    case "until close":
      return headText(status, { ...headers, connection: "close" }) + kept(plain, edit.keep);
    case "gzip":
      return rawReply(status, gzipSync(text).toString("latin1"), { ...headers, "content-encoding": "gzip" });
    case "utf-16":
      return rawReply(status, Buffer.from(`\ufeff${text}`, "utf16le").toString("latin1"), headers);
    default:
      return headText(status, { ...headers, "content-length": String(plain.length) }) + kept(plain, edit.keep);
  }
}

function edited(json: JsonValue, data: Edit["data"]): JsonValue {
  const envelope = json as JsonObject;
  if (data === undefined || !envelope.data) return json;
  const change = (item: JsonValue) => ({ ...(item as JsonObject), ...(data as JsonObject) });
  return { ...envelope, data: Array.isArray(envelope.data) ? envelope.data.map(change) : change(envelope.data) };
}

function kept(body: string, keep: number | undefined): string {
  return keep === undefined ? body : body.slice(0, keep);
}

function chunked(body: string): string {
  const half = Math.ceil(body.length / 2);
  const chunks = [body.slice(0, half), body.slice(half)].filter((part) => part !== "");
  return `${chunks.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`;
}
