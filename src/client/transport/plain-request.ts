import type { WireRequest } from "../../contract/wire.ts";
import { ABOUT_CONNECTION } from "./response-head.ts";

/** A request as text, with a body of text. */
export type PlainRequest = Omit<WireRequest, "bytes">;

/** Returns whether a request can be sent as text. All others need `node:http`, which checks and encodes anything. */
export function isPlain(request: WireRequest): request is PlainRequest {
  const { target, headers, bytes } = request;
  if (bytes !== undefined || !/^\/[!-~]*$/.test(target)) return false;
  for (const name of Object.keys(headers)) if (!isPlainHeader(name, headers[name] ?? "")) return false;
  return true;
}

/** Returns whether a header can be sent as it is, and means nothing for the connection. */
function isPlainHeader(name: string, value: string): boolean {
  return /^[a-z0-9-]+$/.test(name) && /^[ -~]*$/.test(value) && !ABOUT_CONNECTION.includes(name);
}

/** The methods of requests that need no length if they have no body. */
const BODILESS: readonly string[] = ["GET", "DELETE"];

/** Returns a request as `node:http` sends it over a connection that stays open. */
export function textOf({ method, target, headers, body }: PlainRequest, host: string): string {
  let text = `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name of Object.keys(headers)) text += `${name}: ${headers[name]}\r\n`;
  if (body !== undefined || !BODILESS.includes(method)) text += `content-length: ${Buffer.byteLength(body ?? "")}\r\n`;
  return `${text}Connection: keep-alive\r\n\r\n${body ?? ""}`;
}
