import type { WireReply, WireRequest } from "../contract/wire.ts";
import { endOf } from "./attempt-end.ts";
import { type AttemptLimits, type Connection, TransportFailure } from "./exchange.ts";
import type { Link } from "./link.ts";
import { type Outcome, outcomeOfFailure, outcomeOfReply } from "./outcome.ts";
import type { Ask } from "./request.ts";

const MIB = 2 ** 20;
const MAX_BYTES = 8 * MIB;
const MAX_LIST_BYTES = 64 * MIB;

/** Sends what is asked once, within the wall-clock limit, and judges what came of it. */
export async function attempt(ask: Ask, request: WireRequest, link: Link): Promise<Outcome> {
  const started = link.clock.elapsed();
  const end = endOf(ask, link);
  try {
    const reply = await exchangeOnce(request, link, {
      maxBytes: ask.operation.list ? MAX_LIST_BYTES : MAX_BYTES,
      connection: connectionFor(ask, link),
      signal: end.signal,
      untilSent: end.untilSent,
    });
    link.report({
      type: "reply",
      status: reply.status,
      bytes: reply.body.length,
      milliseconds: Math.round(link.clock.elapsed() - started),
    });
    return outcomeOfReply(ask.operation, reply);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    link.report({ type: "no_reply", why: error.message });
    return outcomeOfFailure(error);
  } finally {
    end.over();
  }
}

function connectionFor({ operation }: Ask, { inBulk }: Link): Connection {
  if (operation.kind === "read") return "kept";
  return inBulk ? "pooled" : "own";
}

async function exchangeOnce(request: WireRequest, link: Link, limits: AttemptLimits): Promise<WireReply> {
  if (link.interrupt.aborted) throw new TransportFailure("interrupted", "interrupted", { sent: false });
  return await link.exchange(request, limits);
}
