import type { AttemptEnd, ClientContext } from "../client-context.ts";
import type { ApiRequest } from "../request.ts";

export function attemptEnd(request: ApiRequest, clientContext: ClientContext): AttemptEnd {
  return clientContext.ends && request.operation.kind !== "read"
    ? clientContext.ends.take(clientContext)
    : ownEnd(request, clientContext);
}

function ownEnd(request: ApiRequest, clientContext: ClientContext): AttemptEnd {
  const ended = new AbortController();
  let isUnsent = false;
  let opened: AbortController | undefined;
  const leave = () => ended.abort("interrupted");
  const leaveUnsent = () => {
    if (isUnsent) leave();
    return !isUnsent;
  };
  const unhook =
    request.operation.kind === "read"
      ? leaveOn(clientContext.interrupt, leave)
      : leaveLate(clientContext, leave, leaveUnsent);
  void endAfter(timeFor(request, clientContext), clientContext, ended);
  return {
    signal: ended.signal,
    untilSent() {
      isUnsent = true;
      if (clientContext.remaining) {
        opened = new AbortController();
        void endAfter(clientContext.remaining(), clientContext, ended, opened.signal);
      }
      return () => {
        isUnsent = false;
        opened?.abort("opened");
      };
    },
    over() {
      // Only the timer still listens. Without a reason, a stack trace is captured each time.
      ended.abort("finished");
      opened?.abort("finished");
      unhook();
    },
  };
}

/** Returns the milliseconds of an attempt. A read ends with the command; a sent write keeps its full time. */
function timeFor(request: ApiRequest, clientContext: ClientContext): number {
  return request.operation.kind === "read"
    ? Math.min(clientContext.timeout, clientContext.remaining?.() ?? clientContext.timeout)
    : clientContext.timeout;
}

async function endAfter(time: number, clientContext: ClientContext, ended: AbortController, unless = ended.signal) {
  await clientContext.clock.sleep(time, unless);
  if (!unless.aborted) ended.abort("timeout");
}

const AWAITED =
  "interrupted while a write is in progress; waiting for the response (interrupt again to stop waiting: the outcome is then unknown)";

/** A sent write survives the first interrupt: its response matters. @param leaveUnsent returns whether it was unsent */
export function leaveLate(clientContext: ClientContext, leave: () => void, leaveUnsent: () => boolean): () => void {
  const report = () => {
    if (leaveUnsent()) clientContext.report({ type: "note", text: AWAITED });
  };
  if (clientContext.abandon !== clientContext.interrupt) clientContext.interrupt.addEventListener("abort", report);
  const unhook = leaveOn(clientContext.abandon, leave);
  return () => {
    clientContext.interrupt.removeEventListener("abort", report);
    unhook();
  };
}

function leaveOn(signal: AbortSignal, leave: () => void): () => void {
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave);
  return () => signal.removeEventListener("abort", leave);
}
