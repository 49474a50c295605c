import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import type { WireReply, WireRequest } from "../../contract/wire.ts";
import { IDLE_CONNECTION } from "../../timing.ts";
import { awaitReply, type ReplyEvents, type RequestInProgress, type Shared } from "./await-reply.ts";
import { STRICT } from "./response-head.ts";
import { type AttemptLimits, type Confirmation, type Transport, TransportFailure } from "./transport.ts";
import { type Wire, watchSocket } from "./wire.ts";

/**
 * Creates a transport for many concurrent requests, each with one request at a time. Connections are reused until the
 * other side closes one: a request could then cross with the next close, and its outcome would be unknown.
 */
export function createPooled(shared: Shared): Transport {
  const free: Lane[] = [];
  const opening = createOpening();
  return (request, limits) => {
    const lane = (shared.breaks ? undefined : free.pop()) ?? openLane(shared, opening);
    return sendOver(lane, request, { shared, limits, release: () => (shared.breaks ? lane.close() : free.push(lane)) });
  };
}

function createOpening() {
  let ended = endableController();
  return {
    signal: (): AbortSignal => ended.signal,
    leave(signal: AbortSignal) {
      if (signal !== ended.signal) return;
      const left = ended;
      ended = endableController();
      left.abort();
    },
  };
}

function endableController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function sendOver(
  lane: Lane,
  request: WireRequest,
  { shared, limits, release }: { shared: Shared; limits: AttemptLimits; release(): unknown },
): Promise<WireReply> {
  return awaitReply(shared, limits, (events): RequestInProgress => {
    const leave = lane.send(request, events);
    let isInOrder = true;
    return {
      leave() {
        leave();
        lane.close();
      },
      async settled(confirmation) {
        isInOrder = false;
        const request = async (question: WireRequest) =>
          await sendOver(lane, question, { shared, limits: withoutConfirmation(limits), release: () => {} });
        const found = await followUp(lane, confirmation, request);
        isInOrder = found === IN_ORDER;
        return found === DOUBTFUL ? UNCONFIRMED : undefined;
      },
      done() {
        if (isInOrder && lane.wire?.isWritten) release();
        else lane.close();
      },
    };
  });
}

function withoutConfirmation({ maxBytes, connection, signal }: AttemptLimits): AttemptLimits {
  return { maxBytes, connection, signal };
}

const UNCONFIRMED = "it may be a response left over from another request on the same connection";
const IN_ORDER = "in order";
const DOUBTFUL = "doubtful";

/**
 * Sends a read over the same connection after a refusal. The service responds in order, so the read's response shows
 * that the refusal was not an extra response. A second refusal shows the same, whichever of the two belongs to the
 * write. Then the connection is watched for a while, in case the service does not keep the order.
 */
async function followUp(
  lane: Lane,
  confirmation: Confirmation,
  request: (question: WireRequest) => Promise<WireReply>,
): Promise<typeof IN_ORDER | typeof DOUBTFUL | "refused"> {
  const { wire } = lane;
  const isFirst = wire?.requests === 1;
  if (wire?.isClosed !== false) return isFirst ? "refused" : DOUBTFUL;
  try {
    const response = await request(confirmation.question());
    // The connection was closed before the read could be sent over it.
    if (lane.wire !== wire) return isFirst ? "refused" : DOUBTFUL;
    if (!confirmation.isResponse(response)) return DOUBTFUL;
    await watchSocket(wire, confirmation);
    if (wire.hasUnrequestedBytes) return DOUBTFUL;
    return response.status < 300 ? IN_ORDER : "refused";
  } catch (error) {
    if (error instanceof TransportFailure) return DOUBTFUL;
    throw error;
  }
}

type Lane = ReturnType<typeof openLane>;

/** The connections that are opening. They share the name lookup, and if one hangs, all are abandoned. */
type Opening = ReturnType<typeof createOpening>;

/** Opens a lane, which never retries or redirects. undici's timeouts aren't deadlines, and are off. */
function openLane({ options, openSocket }: Shared, opening: Opening) {
  let awaited: AbortSignal | undefined;
  let wire: Wire | undefined;
  const client = new Client(options.origin, {
    pipelining: 1,
    keepAliveTimeout: IDLE_CONNECTION,
    keepAliveMaxTimeout: IDLE_CONNECTION,
    maxHeaderSize: STRICT.maxHeaderSize,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: -1,
    connect(_, done) {
      awaited = opening.signal();
      openSocket(awaited, { listens: true })
        .finally(() => {
          awaited = undefined;
        })
        .then(
          (opened) => {
            wire = opened.wire;
            done(null, opened.socket);
          },
          (error: Error) => done(error, null),
        );
    },
  });
  const close = () => {
    if (awaited) opening.leave(awaited);
    client.destroy().catch(() => {});
  };
  return {
    /** Absent before the first connection. */
    get wire() {
      return wire;
    },
    /** Sends a request. Returns a function that abandons it, which may be called twice. */
    send: (request: WireRequest, events: ReplyEvents) =>
      dispatchRequest(client, request, {
        events,
        begin: () => wire && events.started(wire),
        abandon: close,
      }),
    /** Ends the request in progress and closes the connection, even while it is opening. */
    close,
  };
}

interface Parts {
  events: ReplyEvents;
  begin(): void;
  /** Called for a request that is abandoned before it has a connection: the opening connection may hang. */
  abandon(): void;
}

function dispatchRequest(client: Dispatcher, request: WireRequest, { events, begin, abandon }: Parts): () => void {
  const { target, method, headers, body, bytes } = request;
  let leave = abandon;
  client.dispatch(
    { path: target, method, headers, body: bytes ?? body ?? null },
    {
      onRequestStart(controller) {
        leave = () => controller.abort(new Error("left"));
        begin();
      },
      onResponseStart(_, status, received) {
        if (status >= 200) events.head(status, received);
      },
      onResponseData: (_, chunk) => events.data(chunk),
      onResponseEnd() {
        leave = () => {};
        events.end();
      },
      onResponseError(_, error) {
        leave = () => {};
        events.failed(error);
      },
    },
  );
  return () => leave();
}
