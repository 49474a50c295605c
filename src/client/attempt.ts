import type { WireReply, WireRequest } from "../contract/wire.ts";
import { endOf } from "./attempt-end.ts";
import { confirmationOver } from "./confirmation.ts";
import { type AttemptLimits, type Connection, TransportFailure } from "./exchange.ts";
import type { Link } from "./link.ts";
import { doubted, type Outcome, outcomeOfFailure, outcomeOfReply } from "./outcome.ts";
import type { ApiRequest } from "./request.ts";
import { type Room, roomFor } from "./room.ts";

/** Sends what is asked once, within the wall-clock limit, and judges what came of it. */
export async function attempt(apiRequest: ApiRequest, request: WireRequest, link: Link): Promise<Outcome> {
  const started = link.clock.elapsed();
  const end = endOf(apiRequest, link);
  let judged: Outcome | undefined;
  const judge = (reply: WireReply) => {
    judged ??= outcomeWithin(boundsIn(roomFor(reply.body.length, link.heapLimit), apiRequest), apiRequest, reply);
    return judged;
  };
  try {
    const reply = await exchangeOnce(request, link, {
      maxBytes: boundsIn(roomFor(0, link.heapLimit), apiRequest).bytes,
      connection: connectionFor(apiRequest, link),
      signal: end.signal,
      untilSent: end.untilSent,
      ...(apiRequest.operation.kind !== "read" && { confirmation: confirmationOver(link, judge) }),
    });
    link.report({
      type: "reply",
      status: reply.status,
      bytes: reply.body.length,
      milliseconds: Math.round(link.clock.elapsed() - started),
    });
    return doubted(judge(reply), reply.doubt);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    link.report({ type: "no_reply", why: error.message });
    return outcomeOfFailure(error);
  } finally {
    end.over();
  }
}

function outcomeWithin(bounds: ReturnType<typeof boundsIn>, { operation }: ApiRequest, reply: WireReply): Outcome {
  if (reply.body.length > bounds.bytes) throw tooLarge(reply, bounds.bytes);
  return outcomeOfReply(operation, reply, bounds.values);
}

function boundsIn({ response, listResponse, values, listValues }: Room, { operation }: ApiRequest) {
  return operation.list ? { bytes: listResponse, values: listValues } : { bytes: response, values };
}

/** It was received whole; what reading it would take is more than the heap has. */
function tooLarge({ status }: WireReply, most: number): TransportFailure {
  const message = `the response is larger than ${Math.round(most / 2 ** 20)} MiB, the limit of the available memory`;
  return new TransportFailure("too_large", message, { sent: true, status });
}

function connectionFor({ operation }: ApiRequest, { inBulk }: Link): Connection {
  if (operation.kind === "read") return "kept";
  return inBulk ? "pooled" : "own";
}

async function exchangeOnce(request: WireRequest, link: Link, limits: AttemptLimits): Promise<WireReply> {
  if (link.interrupt.aborted) throw new TransportFailure("interrupted", "interrupted", { sent: false });
  return await link.exchange(request, limits);
}
