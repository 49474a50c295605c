import { gzipSync } from "node:zlib";
import { type JsonObject, parseJson, writeJson } from "../../../src/contract/json.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import type { Edit } from "./script.ts";

/** The bytes of a complete response, as text with one character a byte. */
export function rawReply({ status, headers, body }: WireReply): string {
  return headText(status, { "content-length": String(body.length), ...headers }) + rawText(body);
}

function rawText(body: Uint8Array): string {
  return Buffer.from(body).toString("latin1");
}

export function headText(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${String(status).padStart(3, "0")} Words`, ...lines].join("\r\n")}\r\n\r\n`;
}

/** The service's response with a script's changes. */
export function editedReply(reply: WireReply, edit: Edit = {}): string {
  const status = edit.status ?? reply.status;
  const headers = { ...reply.headers, ...edit.headers };
  const text = (edit.before ?? "") + edited(Buffer.from(reply.body).toString(), edit.data) + (edit.after ?? "");
  const body = Buffer.from(text);
  switch (edit.encoding ?? "plain") {
    case "chunked":
      return headText(status, { ...headers, "transfer-encoding": "chunked" }) + kept(chunked(rawText(body)), edit.keep);
    case "until close":
      return headText(status, { ...headers, connection: "close" }) + kept(rawText(body), edit.keep);
    case "gzip":
      return rawReply({ status, headers: { ...headers, "content-encoding": "gzip" }, body: gzipSync(body) });
    case "utf-16":
      return rawReply({ status, headers, body: Buffer.from(`\ufeff${text}`, "utf16le") });
    default:
      return headText(status, { ...headers, "content-length": String(body.length) }) + kept(rawText(body), edit.keep);
  }
}

function edited(text: string, data: Edit["data"]): string {
  const envelope = data === undefined || text === "" ? {} : (parseJson(text) as JsonObject);
  if (!envelope.data) return text;
  const change = (item: unknown) => ({ ...(item as JsonObject), ...(data as JsonObject) });
  return writeJson({
    ...envelope,
    data: Array.isArray(envelope.data) ? envelope.data.map(change) : change(envelope.data),
  });
}

function kept(body: string, keep: number | undefined): string {
  return keep === undefined ? body : body.slice(0, keep);
}

function chunked(body: string): string {
  const half = Math.ceil(body.length / 2);
  const chunks = [body.slice(0, half), body.slice(half)].filter((part) => part !== "");
  return `${chunks.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`;
}
