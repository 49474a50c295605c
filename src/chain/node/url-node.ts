import type { Clock } from "../../client/clock.ts";
import { createRpcIds } from "../../client/json-rpc.ts";
import { type Transport, TransportFailure } from "../../client/transport/transport.ts";
import { credentialsOf } from "../../contract/encoding/user-info.ts";
import { type JsonValue, writeJson } from "../../contract/json.ts";
import { MASK, maskRpcUrl, secretPartsOf } from "../../contract/rpc-url.ts";
import type { WireReply, WireRequest } from "../../contract/wire.ts";
import { RelayctlError } from "../../errors.ts";
import type { ChainNode, NodeFault, NodeFaultKind, NodeParams, Reading } from "./node.ts";
import { type NodeReply, readNodeReply } from "./node-reply.ts";

/** The largest response of a node that is read, in bytes. */
const MAX_BYTES = 8 * 2 ** 20;
/** The shortest part of a path or query that is hidden in the words of a node: a shorter one only names the resource. */
const SHORTEST_HIDDEN = 6;

/** A node that is asked directly, and not through a relayer. */
export interface UrlNodeOptions {
  /** An http or https URL, possibly with a provider's key in it. */
  url: string;
  /** The transport to the URL's origin. */
  transport: Transport;
  clock: Pick<Clock, "now" | "sleep">;
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
  const nextId = createRpcIds(options.clock);
  return {
    name: maskRpcUrl(options.url),
    async ask(method, params) {
      const id = nextId();
      const asking = { id, request: requestFor(options.url, { id, method, params }), hide };
      const first = await askOnce(asking, options);
      // A kept connection may have been closed in the meantime, which only a second attempt shows.
      const { isBroken, ...reading } = first.isBroken ? await askOnce(asking, options) : first;
      return reading;
    },
  };
}

interface Call {
  id: number;
  method: string;
  params: NodeParams;
}

function requestFor(url: string, { id, method, params }: Call): WireRequest {
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
    body: writeJson({ jsonrpc: "2.0", id, method, params: params as JsonValue }),
  };
}

function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
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

type Attempt = Reading<JsonValue> & { isBroken?: true };

/** A request and its ID, and what hides the key in its response. */
interface Asking {
  id: number;
  request: WireRequest;
  hide: Hide;
}

async function askOnce({ id, request, hide }: Asking, options: UrlNodeOptions): Promise<Attempt> {
  const { transport, clock, timeout, remaining, interrupt } = options;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted; nothing was changed");
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
