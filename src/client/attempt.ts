import type { WireReply } from "../contract/wire.ts";
import { type AttemptLimits, type Connection, TransportFailure } from "./exchange.ts";
import type { Link } from "./link.ts";
import { type Outcome, outcomeOfFailure, outcomeOfReply } from "./outcome.ts";
import { type Ask, wireRequest } from "./request.ts";

const MIB = 2 ** 20;
const MAX_BYTES = 8 * MIB;
const MAX_LIST_BYTES = 64 * MIB;

/** Sends what is asked once, within the wall-clock limit, and judges what came of it. */
export async function attempt(ask: Ask, link: Link): Promise<Outcome> {
  const started = link.clock.elapsed();
  const ended = new AbortController();
  const unhook = ask.operation.kind === "read" ? leaveOn(link.interrupt, ended) : leaveLate(link, ended);
  void endAfter(timeFor(ask, link), link, ended);
  try {
    const reply = await exchangeOnce(ask, link, {
      maxBytes: ask.operation.list ? MAX_LIST_BYTES : MAX_BYTES,
      connection: connectionFor(ask, link),
      signal: ended.signal,
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
    // Nobody listens any more but the timer. Without a reason a stack is taken each time.
    ended.abort("finished");
    unhook();
  }
}

function connectionFor({ operation }: Ask, { inBulk }: Link): Connection {
  if (operation.kind === "read") return "kept";
  return inBulk ? "pooled" : "own";
}

/** A read ends with the time for the whole command; a write that is under way keeps its own, so that its outcome is known. */
function timeFor(ask: Ask, link: Link): number {
  return ask.operation.kind === "read" ? Math.min(link.timeout, link.remaining?.() ?? link.timeout) : link.timeout;
}

async function endAfter(time: number, link: Link, ended: AbortController): Promise<void> {
  await link.clock.sleep(time, ended.signal);
  ended.abort("timeout");
}

async function exchangeOnce(ask: Ask, link: Link, limits: AttemptLimits): Promise<WireReply> {
  if (link.interrupt.aborted) throw new TransportFailure("interrupted", "interrupted", { sent: false });
  return await link.exchange(wireRequest(ask, link.token), limits);
}

const AWAITED =
  "interrupted while a write is under way; its answer is awaited, and another interrupt leaves it unknown";

/** A write is not left at the first interrupt: its answer is worth more than the time. */
function leaveLate(link: Link, ended: AbortController): () => void {
  const tell = () => link.report({ type: "note", text: AWAITED });
  if (link.abandon !== link.interrupt) link.interrupt.addEventListener("abort", tell);
  const unhook = leaveOn(link.abandon, ended);
  return () => {
    link.interrupt.removeEventListener("abort", tell);
    unhook();
  };
}

function leaveOn(signal: AbortSignal, ended: AbortController): () => void {
  const leave = () => ended.abort("interrupted");
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  return () => signal.removeEventListener("abort", leave);
}
