import { Buffer } from "node:buffer";
import { oneLine } from "../../client/attempt/reply.ts";
import type { Clock } from "../../client/clock.ts";
import { type Transport, TransportFailure } from "../../client/transport/transport.ts";
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson, writeJson } from "../../contract/json.ts";
import { jsonRpcErrorOf, jsonRpcReplyShape, nodeErrorCode } from "../../contract/json-rpc.ts";
import { MASK, maskRpcUrl, secretPartsOf } from "../../contract/rpc-url.ts";
import type { WireReply, WireRequest } from "../../contract/wire.ts";
import { RelayctlError } from "../../errors.ts";
import { faultKindOf } from "./fault-kind.ts";
import {
  type ChainNode,
  type NodeFault,
  type NodeFaultKind,
  type NodeParams,
  type Reading,
  unreadable,
} from "./node.ts";

/** The largest response of a node that is read, in bytes, and the most JSON values in it. */
const MAX_BYTES = 8 * 2 ** 20;
const MAX_VALUES = 1_000_000;
/** The shortest part of a path or query that is hidden in the words of a node: a shorter one says what is asked for. */
const SHORTEST_HIDDEN = 6;

/** A node that is asked directly, and not through a relayer. */
export interface UrlNodeOptions {
  /** An http or https URL, possibly with a provider's key in it. */
  url: string;
  /** The transport to the URL's origin. */
  transport: Transport;
  clock: Pick<Clock, "sleep">;
  /** Milliseconds for one attempt. */
  timeout: number;
  /** Returns the milliseconds left for the whole command; absent if there is no limit. */
  remaining?: () => number;
  /** Ends a request in progress. */
  interrupt: AbortSignal;
}

/** Returns the node at a URL, which is asked over JSON-RPC. Its name and its faults show the URL masked. */
export function urlNode(options: UrlNodeOptions): ChainNode {
  const hide = hiding(options.url);
  return {
    name: maskRpcUrl(options.url),
    async ask(method, params) {
      const request = requestFor(options.url, method, params);
      const first = await askOnce(request, options, hide);
      // A kept connection may have been closed in the meantime, which only a second attempt shows.
      const { isBroken, ...reading } = first.isBroken ? await askOnce(request, options, hide) : first;
      return reading;
    },
  };
}

function requestFor(url: string, method: string, params: NodeParams): WireRequest {
  const credentials = credentialsOf(url);
  return {
    method: "POST",
    target: targetOf(url),
    headers: {
      accept: "application/json",
      "accept-encoding": "identity",
      "content-type": "application/json",
      ...(credentials !== undefined && { authorization: `Basic ${credentials}` }),
    },
    body: writeJson({ jsonrpc: "2.0", id: 1, method, params: params as JsonValue }),
  };
}

function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function credentialsOf(url: string): string | undefined {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return undefined;
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
}

type Hide = (text: string) => string;

/**
 * Returns a function that removes the secret parts of a URL from a text: a node may quote the request. To be called
 * before a text is shortened, which could cut a secret in two.
 */
function hiding(url: string): Hide {
  const whole = [targetOf(url).slice(1), credentialsOf(url) ?? ""].filter(({ length }) => length >= SHORTEST_HIDDEN);
  const secrets = [...whole, ...secretPartsOf(url, SHORTEST_HIDDEN)];
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, MASK), text);
}

/** The result of one attempt. */
type Attempt = Reading<JsonValue> & { isBroken?: true };

async function askOnce(request: WireRequest, options: UrlNodeOptions, hide: Hide): Promise<Attempt> {
  const { transport, clock, timeout, remaining, interrupt } = options;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted; nothing was changed");
  const end = new AbortController();
  const leave = () => end.abort("interrupted");
  interrupt.addEventListener("abort", leave);
  void clock.sleep(Math.min(timeout, remaining?.() ?? timeout), end.signal).then(() => end.abort("timeout"));
  try {
    return readingOf(await transport(request, { maxBytes: MAX_BYTES, connection: "kept", signal: end.signal }), hide);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    if (error.reason === "interrupted")
      throw new RelayctlError("interrupted", "interrupted; nothing was changed", { cause: error });
    const fault: NodeFault = { kind: kindOf(error), words: hide(error.message) };
    return { fault, ...(error.reason === "reset" && { isBroken: true }) };
  } finally {
    interrupt.removeEventListener("abort", leave);
    end.abort("finished");
  }
}

function kindOf({ reason }: TransportFailure): NodeFaultKind {
  return ["protocol", "too_large", "encoding"].includes(reason) ? "unreadable" : "unreachable";
}

function readingOf({ status, body }: WireReply, hide: Hide): Reading<JsonValue> {
  const json = parsed(body);
  const error = isJsonObject(json) ? jsonRpcErrorOf(json) : undefined;
  if (error) {
    const code = nodeErrorCode(error);
    return fault(
      status === 429 ? "limited" : faultKindOf(error),
      `JSON-RPC error ${code}: ${oneLine(hide(error.message))}`,
      code,
    );
  }
  if (status === 429) return fault("limited", "the node limits the rate of requests");
  if (status < 200 || status > 299)
    return fault(status >= 500 ? "unreachable" : "failed", `the node returned HTTP ${status}`);
  if (!isJsonObject(json) || jsonRpcReplyShape(json) !== undefined) return unreadable("the response is not JSON-RPC");
  return { value: json.result ?? null };
}

function fault(kind: NodeFaultKind, words: string, code?: number): { fault: NodeFault } {
  return { fault: { kind, words, ...(code !== undefined && { code }) } };
}

function parsed(body: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body), { values: MAX_VALUES });
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
