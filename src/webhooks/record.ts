import { base64Bytes } from "../contract/encoding/base64.ts";
import { isJsonObject, type JsonValue, tryParseJson, writeJson } from "../contract/json.ts";

export interface RecordedDelivery {
  /** RFC 3339. */
  receivedAt: string;
  method: string;
  path: string;
  /** The headers that a replay needs, in lowercase: `content-type` and `x-signature`. */
  headers: Readonly<Record<string, string>>;
  /** The body, byte for byte. */
  body: Uint8Array;
  /** Whether the delivery was accepted: with a valid signature, or without any key to verify it. */
  accepted: boolean;
}

interface DamagedLine {
  line: number;
  /** The problem, without the content. */
  rule: string;
}

/** The most bytes of a record: `webhooks replay` reads it whole. */
export const MAX_RECORD_BYTES = 100 * 2 ** 20;

export function webhookRecordLine({ receivedAt, method, path, headers, body, accepted }: RecordedDelivery): string {
  const kept = Object.entries(headers).filter(([name]) => ["content-type", "x-signature"].includes(name));
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.length).toString("base64");
  const line = {
    received_at: receivedAt,
    method,
    path,
    headers: Object.fromEntries(kept),
    body_base64: base64,
    accepted,
  };
  return `${writeJson(line)}\n`;
}

/** Stands for bytes that are not UTF-8. No line of a record contains it. */
const REPLACEMENT = "\ufffd";

/** Reads a record; reports damaged lines. @param text with replacement characters for invalid UTF-8 */
export function readWebhookRecord(text: string) {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const deliveries: RecordedDelivery[] = [];
  const damaged: DamagedLine[] = [];
  let isCut = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line);
    if (typeof read !== "string") deliveries.push(read);
    else if (index === lines.length - 1) isCut = true;
    else damaged.push({ line: index + 1, rule: read });
  }
  return {
    deliveries,
    damaged,
    /** Whether the last line is truncated, e.g. after a crash; it doesn't count as damaged. */
    isCut,
  };
}

function readLine(line: string): RecordedDelivery | string {
  if (line.includes(REPLACEMENT)) return "is not UTF-8";
  const value = tryParseJson(line);
  if (!isJsonObject(value)) return "is not a JSON object";
  const { received_at: receivedAt, method, path, headers, body_base64: base64, accepted } = value;
  if (typeof receivedAt !== "string") return "has no received_at";
  if (typeof method !== "string" || typeof path !== "string") return "has no method or path";
  if (!isTexts(headers)) return "has no valid headers";
  const body = typeof base64 === "string" ? base64Bytes(base64) : undefined;
  if (!body) return "has no body in base64";
  if (typeof accepted !== "boolean") return "does not say whether it was accepted";
  return { receivedAt, method, path, headers, body, accepted };
}

/** Control characters could end a header, and begin another. */
const HEADER = /^[\t\x20-\x7e\x80-\xff]*$/;

function isTexts(value: JsonValue | undefined): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === "string" && HEADER.test(each));
}
