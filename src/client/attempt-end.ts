import type { AttemptEnd, Link } from "./link.ts";
import type { ApiRequest } from "./request.ts";

export function endOf(request: ApiRequest, link: Link): AttemptEnd {
  return link.ends && request.operation.kind !== "read" ? link.ends.take(link) : ownEnd(request, link);
}

function ownEnd(request: ApiRequest, link: Link): AttemptEnd {
  const ended = new AbortController();
  let isUnsent = false;
  const opened = new AbortController();
  const leave = () => ended.abort("interrupted");
  const leaveUnsent = () => {
    if (isUnsent) leave();
    return !isUnsent;
  };
  const unhook =
    request.operation.kind === "read" ? leaveOn(link.interrupt, leave) : leaveLate(link, leave, leaveUnsent);
  void endAfter(timeFor(request, link), link, ended);
  return {
    signal: ended.signal,
    untilSent() {
      isUnsent = true;
      if (link.remaining) void endAfter(link.remaining(), link, ended, opened.signal);
      return () => {
        isUnsent = false;
        opened.abort("opened");
      };
    },
    over() {
      // Nobody listens any more but the timer. Without a reason a stack is taken each time.
      ended.abort("finished");
      opened.abort("finished");
      unhook();
    },
  };
}

/** A read ends with the time for the whole command; a write that was sent keeps its own, so that its outcome is known. */
function timeFor(request: ApiRequest, link: Link): number {
  return request.operation.kind === "read" ? Math.min(link.timeout, link.remaining?.() ?? link.timeout) : link.timeout;
}

/** @param unless keeps the attempt from being ended */
async function endAfter(time: number, link: Link, ended: AbortController, unless = ended.signal): Promise<void> {
  await link.clock.sleep(time, unless);
  if (!unless.aborted) ended.abort("timeout");
}

const AWAITED =
  "interrupted while a write is in progress; waiting for the response (interrupt again to stop waiting: the outcome is then unknown)";

/**
 * A write that was sent is not left at the first interrupt: its response is worth more than the time.
 * @param leaveUnsent leaves what was not sent, and returns whether anything was
 */
export function leaveLate(link: Link, leave: () => void, leaveUnsent: () => boolean): () => void {
  const tell = () => {
    if (leaveUnsent()) link.report({ type: "note", text: AWAITED });
  };
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
