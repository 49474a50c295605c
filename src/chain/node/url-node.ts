import { shownTextLine } from "../../client/attempt/shown-text.ts";
import type { Clock } from "../../client/clock.ts";
import { createJsonRpcIds } from "../../client/json-rpc.ts";
import { type Transport, TransportFailure } from "../../client/transport/transport.ts";
import { credentialsOf } from "../../contract/encoding/user-info.ts";
import { isJsonObject, type JsonObject, type JsonValue, tryParseJson, writeJson } from "../../contract/json.ts";
import { jsonRpcErrorIn, jsonRpcReplyShape, nodeErrorCode } from "../../contract/json-rpc.ts";
import { MASK, maskRpcUrl, secretRpcUrlParts } from "../../contract/rpc-url.ts";
import type { WireReply, WireRequest } from "../../contract/wire.ts";
import { interruptedError } from "../../errors.ts";
import {
  type ChainNode,
  type NodeFault,
  type NodeFaultKind,
  type NodeParams,
  nodeFault,
  nodeFaultKind,
  type Reading,
  revertIn,
} from "./node.ts";

/** The most JSON values in a response that is read. */
const MAX_VALUES = 1_000_000;

type NodeReply = ReturnType<typeof readNodeReply>;

function readNodeReply(response: WireReply, id: number, hide: (text: string) => string) {
  const json = tryParseJson(response.body, { values: MAX_VALUES });
  const isOwn = !isJsonObject(json) || isReplyTo(id, json);
  return { isOwn, reading: isOwn ? readingFrom(response.status, json, hide) : nodeFault(OTHER_ID) };
}

const OTHER_ID = "the response has a different ID than the request";

/** Returns whether the ID of a response matches. An error has none if the node did not read the request. */
function isReplyTo(id: number, json: JsonObject): boolean {
  return json.id === id || (!Object.hasOwn(json, "result") && (json.id ?? null) === null);
}

function readingFrom(status: number, json: JsonValue | undefined, hide: (text: string) => string): Reading<JsonValue> {
  const error = isJsonObject(json) && isJsonObject(json.error) ? json.error : undefined;
  if (error) return errorReading(status, error, hide);
  if (status === 429) return failNode("limited", "the node limits the rate of requests");
  if (status < 200 || status > 299)
    return failNode(status >= 500 ? "unreachable" : "failed", `the node returned HTTP ${status}`);
  if (!isJsonObject(json) || jsonRpcReplyShape(json) !== undefined) return nodeFault("the response is not JSON-RPC");
  return { value: json.result ?? null };
}

function errorReading(status: number, error: JsonObject, hide: (text: string) => string): { fault: NodeFault } {
  const found = jsonRpcErrorIn(error);
  const code = nodeErrorCode(found);
  const revert = revertIn(error, hide);
  const kind = revert ? "reverted" : nodeFaultKind(found);
  return {
    fault: {
      kind: status === 429 ? "limited" : kind,
      words: `JSON-RPC error ${code}: ${shownTextLine(hide(found.message))}`,
      code,
      ...(revert && { revert }),
    },
  };
}

function failNode(kind: NodeFaultKind, words: string): { fault: NodeFault } {
  return { fault: { kind, words } };
}

const MAX_BYTES = 8 * 2 ** 20;
/** The shortest part of a path or query that is hidden in a node's error message: a shorter part is not a secret. */
const SHORTEST_HIDDEN = 6;

export interface UrlNodeOptions {
  /** An http or https URL, possibly with a provider's key in it. */
  url: string;
  transport: Transport;
  clock: Pick<Clock, "now" | "sleep">;
  /** Milliseconds for one attempt. */
  timeout: number;
  /** Absent if there is no limit. */
  remaining?: () => number;
  interrupt: AbortSignal;
}

/** Returns the node at a URL, which is asked over JSON-RPC. Its name and its faults show the URL masked. */
export function urlNode(options: UrlNodeOptions): ChainNode {
  const hide = hideNodeUrl(options.url);
  const nextId = createJsonRpcIds(options.clock);
  return {
    name: maskRpcUrl(options.url),
    async ask(method, params) {
      const id = nextId();
      const asking = { id, request: requestFor(options.url, { id, method, params }), hide };
      const first = await askOnce(asking, options);
      // A kept connection may be closed already, which only a second attempt shows.
      const { isBroken, ...reading } = first.isBroken ? await askOnce(asking, options) : first;
      return reading;
    },
  };
}

function requestFor(
  url: string,
  { id, method, params }: { id: number; method: string; params: NodeParams },
): WireRequest {
  const credentials = credentialsOf(url);
  return {
    method: "POST",
    target: targetIn(url),
    headers: {
      accept: "application/json",
      "accept-encoding": "identity",
      "content-type": "application/json",
      ...(credentials !== undefined && { authorization: `Basic ${credentials}` }),
    },
    body: writeJson({ jsonrpc: "2.0", id, method, params: params as JsonValue }),
  };
}

function targetIn(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

type Hide = (text: string) => string;

/** Returns a function that removes the secret parts of a URL from a text, before the text is shortened. */
function hideNodeUrl(url: string): Hide {
  const whole = [targetIn(url).slice(1), credentialsOf(url) ?? ""].filter(({ length }) => length >= SHORTEST_HIDDEN);
  const secrets = [...whole, ...secretRpcUrlParts(url, SHORTEST_HIDDEN)];
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, MASK), text);
}

async function askOnce(
  { id, request, hide }: { id: number; request: WireRequest; hide: Hide },
  options: UrlNodeOptions,
): Promise<Reading<JsonValue> & { isBroken?: true }> {
  const { transport, clock, timeout, remaining, interrupt } = options;
  if (interrupt.aborted) throw interruptedError("; nothing was changed");
  const end = new AbortController();
  const leave = () => end.abort("interrupted");
  interrupt.addEventListener("abort", leave);
  void clock.sleep(Math.min(timeout, remaining?.() ?? timeout), end.signal).then(() => end.abort("timeout"));
  let reply: NodeReply | undefined;
  const isOwn = (response: WireReply) => {
    reply = readNodeReply(response, id, hide);
    return reply.isOwn;
  };
  try {
    const limits = { maxBytes: MAX_BYTES, connection: "kept", signal: end.signal } as const;
    const response = await transport(request, { ...limits, isOwn });
    return (reply ?? readNodeReply(response, id, hide)).reading;
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    if (error.reason === "interrupted") throw interruptedError("; nothing was changed", { cause: error });
    const fault: NodeFault = { kind: faultKind(error), words: hide(error.message) };
    return { fault, ...(error.reason === "reset" && { isBroken: true }) };
  } finally {
    interrupt.removeEventListener("abort", leave);
    end.abort("finished");
  }
}

function faultKind({ reason }: TransportFailure): NodeFaultKind {
  return ["protocol", "too_large", "encoding"].includes(reason) ? "unreadable" : "unreachable";
}
