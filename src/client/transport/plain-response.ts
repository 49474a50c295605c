import type { ReplyHeaders } from "./reply-collector.ts";
import { ABOUT_CONNECTION, STRICT } from "./response-head.ts";

/** A response in one piece, after which its connection can carry another. */
export interface PlainResponse {
  status: number;
  headers: ReplyHeaders;
  body: Buffer;
}

const END_OF_HEAD = "\r\n\r\n";
/** The statuses of responses that have a body, whatever their fields say. */
const STATUS_LINE = /^HTTP\/1\.1 ((?!204|304)[2-5][0-9]{2})(?: [\t -~\x80-\xff]*)?$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A value without blanks around it. */
const VALUE = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

/**
 * Reads bytes that are exactly one response over HTTP/1.1 with a length, as nearly all are. Returns undefined for
 * anything else, for which a `ResponseReader` is needed, even if only to reject it.
 */
export function plainResponse(bytes: Buffer): PlainResponse | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0 || end + END_OF_HEAD.length > STRICT.maxHeaderSize) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (colon < 1 || !NAME.test(name) || !VALUE.test(value) || headers[name] !== undefined) return undefined;
    if (ABOUT_CONNECTION.includes(name) && !isUsual(name, value)) return undefined;
    headers[name] = value;
  }
  const body = bytes.subarray(end + END_OF_HEAD.length);
  return Number(headers["content-length"]) === body.length ? { status: Number(status), headers, body } : undefined;
}

function isUsual(name: string, value: string): boolean {
  if (name === "content-length") return /^[0-9]{1,15}$/.test(value);
  if (name === "connection") return /^keep-alive$/i.test(value);
  return name === "keep-alive";
}
