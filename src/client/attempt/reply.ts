import { isAscii } from "node:buffer";
import { strictUtf8 } from "../../contract/encoding/utf8.ts";
import { JsonSyntaxError, type JsonValue, objectIn, parseJson } from "../../contract/json.ts";
import { type Envelope, envelopeOf } from "../../contract/reply/envelope.ts";
import type { WireReply } from "../../contract/wire.ts";
import { gatewayWords, redirectWords } from "./gateway.ts";
import { type Hide, isCutJsonReply, isHtmlReply, shownTextLine } from "./shown-text.ts";

/** A complete response, parsed as far as possible. */
export interface Reply extends WireReply {
  text: string;
  json?: JsonValue;
  envelope?: Envelope;
  /** Why the body is not JSON, without any of its content. */
  problem?: string;
  hide?: Hide | undefined;
}

/** Decodes a response and parses its JSON: the service sends JSON under other content types (facts 1.2). */
export function readReply(wire: WireReply & Pick<Reply, "hide">, maxValues: number): Reply {
  const text = decodeUtf8(wire.body);
  if (text === undefined) return { ...wire, text: "", problem: "the response is not UTF-8" };
  try {
    const json = parseJson(text, { values: maxValues });
    const envelope = envelopeOf(json);
    return envelope ? { ...wire, text, json, envelope } : { ...wire, text, json };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ...wire, text, problem: syntaxProblem(text, error) };
    throw error;
  }
}

/** Decodes UTF-8. For ASCII, which nearly every small response is, that takes a fraction of the time. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (!isAscii(bytes)) return strictUtf8(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

function syntaxProblem(text: string, error: JsonSyntaxError): string {
  if (text.trim() === "") return "the response is empty";
  if (isHtmlReply(text)) return "the response is HTML; it may come from a proxy";
  return `the response is not the expected JSON: ${error.message}`;
}

const FROM_GATEWAY = "the response is from a gateway, not from the service";

/**
 * Returns the service's own words for a failure, on one line: the first non-empty of `error`, `message`, `detail`, the
 * body, and the status; a 401 or 429 prefers `message` (promises 4.3). URLs are masked, since the text may contain a node's URL
 * (facts 13.10).
 */
export function replyFailureText(reply: Reply): string {
  const said = gatewayWords(reply);
  if (said !== undefined) return `${FROM_GATEWAY}: ${said}`;
  const { error, message, detail } = objectIn(reply.json);
  const candidates = reply.status === 401 || reply.status === 429 ? [message, error] : [error, message];
  const words = [...candidates, detail].find((candidate) => typeof candidate === "string" && candidate.trim() !== "");
  return shownTextLine(typeof words === "string" ? words : bodyText(reply), reply.hide) || `HTTP ${reply.status}`;
}

/** Describes a status that is not an outcome: `the service responded with 500: Provider error`. */
export function replyStatusText(reply: Reply): string {
  const words = replyFailureText(reply);
  if (words.startsWith(FROM_GATEWAY)) return `${words} (HTTP ${reply.status})`;
  return `the service responded with ${words.startsWith(`HTTP ${reply.status}`) ? words.slice(5) : `${reply.status}: ${words}`}`;
}

function bodyText(reply: Reply): string {
  const redirect = redirectWords(reply);
  if (redirect !== undefined) return `HTTP ${reply.status}; ${redirect} (redirects are not followed)`;
  if (isHtmlReply(reply.text)) return `HTTP ${reply.status}; the response is HTML; it may come from a proxy`;
  if (isCutJsonReply(reply)) return `HTTP ${reply.status}; the response is not complete JSON: ${reply.text}`;
  if (typeof reply.json === "string" || reply.json === undefined) return reply.json ?? reply.text;
  return `HTTP ${reply.status}; the response contains no message: ${reply.text}`;
}
