import type { AttemptEnd, Link } from "./link.ts";
import type { Ask } from "./request.ts";

export function endOf(ask: Ask, link: Link): AttemptEnd {
  return link.ends && ask.operation.kind !== "read" ? link.ends.take(link) : ownEnd(ask, link);
}

function ownEnd(ask: Ask, link: Link): AttemptEnd {
  const ended = new AbortController();
  const unhook =
    ask.operation.kind === "read"
      ? leaveOn(link.interrupt, () => ended.abort("interrupted"))
      : leaveLate(link, () => ended.abort("interrupted"));
  void endAfter(timeFor(ask, link), link, ended);
  return {
    signal: ended.signal,
    over() {
      // Nobody listens any more but the timer. Without a reason a stack is taken each time.
      ended.abort("finished");
      unhook();
    },
  };
}

/** A read ends with the time for the whole command; a write that is under way keeps its own, so that its outcome is known. */
function timeFor(ask: Ask, link: Link): number {
  return ask.operation.kind === "read" ? Math.min(link.timeout, link.remaining?.() ?? link.timeout) : link.timeout;
}

async function endAfter(time: number, link: Link, ended: AbortController): Promise<void> {
  await link.clock.sleep(time, ended.signal);
  ended.abort("timeout");
}

const AWAITED =
  "interrupted while a write is under way; its answer is awaited, and another interrupt leaves it unknown";

/** A write is not left at the first interrupt: its answer is worth more than the time. */
export function leaveLate(link: Link, leave: () => void): () => void {
  const tell = () => link.report({ type: "note", text: AWAITED });
  if (link.abandon !== link.interrupt) link.interrupt.addEventListener("abort", tell);
  const unhook = leaveOn(link.abandon, leave);
  return () => {
    link.interrupt.removeEventListener("abort", tell);
    unhook();
  };
}

function leaveOn(signal: AbortSignal, leave: () => void): () => void {
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  return () => signal.removeEventListener("abort", leave);
}
