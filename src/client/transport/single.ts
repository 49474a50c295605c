import { type Agent, request as openRequest } from "node:http";
import type { WireRequest } from "../../contract/wire.ts";
import type { Exchange } from "../exchange.ts";
import type { NetworkOptions } from "../network-options.ts";
import { awaitReply, type ReplyEvents } from "./await-reply.ts";
import { createOpeningAgent, type OpeningRequest } from "./opening-agent.ts";
import { STRICT } from "./strict.ts";

/** Requests over `node:http`, which costs a process a fraction of what undici does. */
export function createSingle(options: NetworkOptions): Exchange {
  const keeping = createOpeningAgent(options, { keepAlive: true });
  return (request, limits) => {
    const { signal } = limits;
    const agent = limits.connection === "kept" ? keeping : createOpeningAgent(options, { keepAlive: false });
    return awaitReply(options, limits, (events) => send(request, { agent, signal, origin: options.origin }, events));
  };
}

interface Way {
  agent: Agent;
  signal: AbortSignal;
  origin: string;
}

function send({ method, target, headers, body }: WireRequest, way: Way, events: ReplyEvents): () => void {
  const { agent, signal, origin } = way;
  const asked: OpeningRequest = {
    ...STRICT,
    agent,
    leave: signal,
    method,
    path: target,
    setHost: false,
    servername: "",
  };
  const outgoing = openRequest(asked);
  // Not among the options: NODE_DEBUG=http prints those, and the token with them.
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  outgoing.setHeaders(
    new Map<string, string | number>(Object.entries({ host: new URL(origin).host, ...headers, ...length })),
  );
  outgoing.on("socket", events.started).on("error", events.failed);
  for (const unasked of ["continue", "upgrade"]) outgoing.on(unasked, () => events.failed(new Error("bad response")));
  outgoing.on("response", (incoming) => {
    incoming.on("data", events.data).on("end", events.end).on("error", events.failed);
    events.head(incoming.statusCode ?? 0, incoming.headersDistinct);
  });
  outgoing.end(body);
  return () => void outgoing.destroy();
}
