import { isJsonObject, type JsonValue, NumberLiteral, tryParseJson, writeJson } from "../../contract/json.ts";
import { LAST_SECOND, rfc3339Time } from "../../contract/rfc3339.ts";
import { type Headers, headersIn } from "./headers.ts";
import { withoutFinalLineEnd } from "./token-text.ts";

export interface Lifetime {
  /** Milliseconds since 1970. */
  expiresAt?: number;
  /** Set if its source is read again after this time. */
  renewAfter?: number;
}

export interface TokenRead extends Lifetime {
  token: string;
}

export interface HeadersRead extends Lifetime {
  headers: Headers;
}

export interface PrintedProblem {
  rule: string;
}

export function printedToken(output: string): TokenRead | PrintedProblem {
  const text = output.replace(/^\uFEFF/, "");
  if (!text.startsWith("{")) return { token: withoutFinalLineEnd(text) };
  const value = tryParseJson(text);
  if (!isJsonObject(value)) return { rule: "begins with { and is not valid JSON" };
  const { token, expires_at: time = null } = value;
  if (typeof token !== "string") return { rule: 'has no text as "token"' };
  if (time === null) return { token };
  const expiresAt = parseMilliseconds(time);
  return expiresAt === undefined ? { rule: BAD_TIME } : { token, expiresAt };
}

export function printedHeaders(output: string): HeadersRead | PrintedProblem {
  const value = tryParseJson(output.replace(/^\uFEFF/, ""));
  if (!isJsonObject(value)) return { rule: "is not a JSON object" };
  const { expires_at: time = null, ...rest } = value;
  const read = headersIn(isJsonObject(rest.headers) ? rest.headers : rest);
  if ("rule" in read || time === null) return read;
  const expiresAt = parseMilliseconds(time);
  return expiresAt === undefined ? { rule: BAD_TIME } : { ...read, expiresAt };
}

/** Returns what a store keeps, and a `token_command` prints: a token, with or without headers. */
export function credentialsText(token: string, headers: Headers): string {
  return Object.keys(headers).length === 0 ? token : writeJson({ token, headers });
}

const BAD_TIME = 'has an "expires_at" that is neither RFC 3339 with a zone nor seconds since 1970';

function parseMilliseconds(time: JsonValue): number | undefined {
  if (typeof time === "string") return rfc3339Time(time.replace(" ", "T"));
  if (typeof time !== "number" && typeof time !== "bigint" && !(time instanceof NumberLiteral)) return undefined;
  const seconds = Number(time.toString());
  return seconds >= 0 && seconds <= LAST_SECOND ? seconds * 1_000 : undefined;
}
