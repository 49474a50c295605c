import { isJsonObject, writeJson } from "../../contract/json.ts";
import { jsonRpcErrorOf } from "../../contract/json-rpc.ts";
import type { OperationKind } from "../../contract/operation.ts";
import { operations } from "../../contract/operations.ts";
import { KnownKeys } from "../../contract/reply/list-reply.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { secretFieldsIn } from "../../contract/secret-fields.ts";
import type { WireReply, WireRequest } from "../../contract/wire.ts";
import { interruptedError, RelayctlError } from "../../errors.ts";
import { BULK_RETRIES, LINGER, LONGEST_WAIT, ONCE_RETRIES, ONCE_WINDOW } from "../../timing.ts";
import type { AttemptEnd, ClientContext } from "../client-context.ts";
import { findWrongIdentity } from "../read-back/compare-with-response.ts";
import { refuseIfReadOnly } from "../read-only.ts";
import {
  type ApiRequest,
  refuseUnsendableRequest,
  requestWithoutHeaderValues,
  requestWithoutHidden,
  shownRequestWords,
  wireRequest,
} from "../request.ts";
import { respellRequest } from "../respell.ts";
import { type AttemptLimits, type Confirmation, type Connection, TransportFailure } from "../transport/transport.ts";
import { attemptTimeText, backoffBeforeAttempt, leastAttemptBackoff } from "./failed-attempt.ts";
import { type MemoryBudget, memoryBudgetFor } from "./memory-budget.ts";
import {
  type Fault,
  failureOutcome,
  isLimitOfService,
  type Outcome,
  outcomeWithDoubt,
  replyOutcome,
} from "./outcome.ts";
import { replyFailureText, replyStatusText } from "./reply.ts";

/** A read whose response cannot be mistaken for a write's: the shortest possible list. */
const QUESTION = { operation: operations["relayers.list"], query: { page: "1", per_page: "1" } };

export function attemptConfirmation(
  clientContext: ClientContext,
  classify: (response: WireReply) => Outcome,
): Confirmation {
  const { clock, throttle, heapLimit } = clientContext;
  return {
    isNeeded: (response) => saysNothingApplied(classify(response)),
    linger: (signal) => clock.sleep(LINGER, signal),
    // This read skips the throttle: the service may close an idle connection before a rate-limited turn comes.
    question: () => wireRequest(QUESTION, clientContext),
    isResponse(response) {
      const { values } = memoryBudgetFor(response.body.length, heapLimit);
      const { fault } = replyOutcome(QUESTION.operation, response, values);
      if (fault !== "limited") throttle.passed();
      return fault === "none" || fault === "refused" || fault === "limited";
    },
  };
}

function saysNothingApplied(outcome: Outcome): boolean {
  if (outcome.fault !== "none") return outcome.fault === "refused" || outcome.fault === "limited";
  return isJsonObject(outcome.data) && jsonRpcErrorOf(outcome.data) !== undefined;
}

async function tryOnce(apiRequest: ApiRequest, request: WireRequest, clientContext: ClientContext): Promise<Outcome> {
  const { clock, latest } = clientContext;
  const started = clock.elapsed();
  const end = attemptEnd(apiRequest, clientContext);
  let validated: Outcome | undefined;
  const classify = (reply: WireReply) => {
    if (validated) return validated;
    const { bytes, values } = boundsIn(memoryBudgetFor(reply.body.length, clientContext.heapLimit), apiRequest);
    if (reply.body.length > bytes) throw tooLarge(reply, bytes);
    const hide = clientContext.secrets?.redact;
    validated = replyOutcome(apiRequest.operation, { ...reply, hide }, values, knownKeysFor(apiRequest, clientContext));
    return validated;
  };
  try {
    if (clientContext.interrupt.aborted) throw new TransportFailure("interrupted", "interrupted", { sent: false });
    const reply = await clientContext.transport(request, {
      maxBytes: boundsIn(memoryBudgetFor(0, clientContext.heapLimit), apiRequest).bytes,
      connection: connectionFor(apiRequest, clientContext),
      signal: end.signal,
      untilSent: end.untilSent,
      ...checksFor(apiRequest, clientContext, classify),
    });
    clientContext.report({
      type: "reply",
      status: reply.status,
      bytes: reply.body.length,
      milliseconds: Math.round(clock.elapsed() - started),
    });
    latest.date = Math.max(latest.date, receivedTime(reply.headers.date) || 0);
    if (!clientContext.showsUrls) clientContext.secrets?.learn(reply.body);
    // The response to a write with hidden members has them, too.
    clientContext.trace?.received(
      apiRequest.hidden?.length ? { ...reply, headers: {}, body: new Uint8Array() } : reply,
    );
    return withoutSecrets(outcomeWithDoubt(classify(reply), reply.doubt), clientContext);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    clientContext.report({ type: "no_reply", why: shownRequestWords(error.message, apiRequest) });
    return withoutSecrets(failureOutcome(error), clientContext);
  } finally {
    end.over();
  }
}

/** Masks secrets in an outcome, which ends up in errors, findings, and rows. */
function withoutSecrets(outcome: Outcome, { secrets }: ClientContext): Outcome {
  return outcome.fault === "none" || !secrets ? outcome : secrets.masked(outcome);
}

/** The response to a read of one resource shows which request it belongs to; a refusal of a write is confirmed. */
function checksFor(
  apiRequest: ApiRequest,
  clientContext: ClientContext,
  classify: (reply: WireReply) => Outcome,
): Pick<AttemptLimits, "isOwn" | "confirmation"> {
  const { kind, list } = apiRequest.operation;
  if (kind !== "read") return { confirmation: attemptConfirmation(clientContext, classify) };
  return list ? {} : { isOwn: (reply) => isOwnReply(apiRequest, classify(reply)) };
}

function isOwnReply(apiRequest: ApiRequest, outcome: Outcome): boolean {
  return outcome.fault !== "none" || findWrongIdentity(apiRequest, outcome.data) === undefined;
}

function knownKeysFor({ operation }: ApiRequest, { knownKeys }: ClientContext): KnownKeys {
  const known = knownKeys.get(operation.id) ?? new KnownKeys();
  knownKeys.set(operation.id, known);
  return known;
}

function boundsIn({ response, listResponse, values, listValues }: MemoryBudget, { operation }: ApiRequest) {
  return operation.list ? { bytes: listResponse, values: listValues } : { bytes: response, values };
}

function tooLarge({ status }: WireReply, most: number): TransportFailure {
  const message = `the response is larger than ${Math.round(most / 2 ** 20)} MiB, the limit of the available memory`;
  return new TransportFailure("too_large", message, { sent: true, status });
}

function connectionFor({ operation }: ApiRequest, { inBulk }: ClientContext): Connection {
  if (operation.kind === "read") return "kept";
  return inBulk ? "pooled" : "own";
}

/** The action after an outcome, by the table of promises 7.1: a row per fault, a column per kind of request. */
type Action = "done" | "retry" | "read_back" | "unknown" | "fail";

type Row = Record<OperationKind, Action>;

const sameForAllKinds = (action: Action): Row => ({
  read: action,
  patch: action,
  remove: action,
  create: action,
  once: action,
});
const lost: Row = { read: "retry", patch: "read_back", remove: "read_back", create: "read_back", once: "unknown" };

const TABLE: Record<Fault, Row> = {
  none: sameForAllKinds("done"),
  not_sent: sameForAllKinds("retry"),
  limited: sameForAllKinds("retry"),
  lost,
  unreadable: lost,
  refused: sameForAllKinds("fail"),
};

interface Progress {
  attempts: number;
  retries: number;
  /** Milliseconds since the first attempt began. */
  elapsed: number;
  /** Whether many requests slow down together: a rate limit then says nothing about this one. */
  inBulk: boolean;
}

/** Returns the action; `retry` only while attempts are left. */
function nextAction(kind: OperationKind, outcome: Outcome, progress: Progress): Action {
  const action = TABLE[outcome.fault][kind];
  return action === "retry" && !mayRetry(kind, outcome, progress) ? "fail" : action;
}

function mayRetry(kind: OperationKind, outcome: Outcome, { attempts, retries, elapsed, inBulk }: Progress): boolean {
  if ("failure" in outcome && outcome.failure?.reason === "interrupted") return false;
  if (outcome.fault === "limited" && kind === "once" && !isLimitOfService(outcome.reply)) return false;
  if (outcome.fault === "limited" && inBulk) return attempts <= BULK_RETRIES;
  if (outcome.fault === "not_sent") {
    if (outcome.final) return false;
    if (kind === "once") return attempts <= Math.min(retries, ONCE_RETRIES) && elapsed < ONCE_WINDOW;
  }
  return attempts <= (outcome.fault === "unreadable" ? Math.min(retries, 1) : retries);
}

/** The last outcome of a request, and the action that follows, never `retry`. */
interface SettledAttempt {
  outcome: Outcome;
  action: Exclude<Action, "retry">;
}

/** Sends a request, and retries as promises 7.1 allow: never a write whose response could have been lost. */
export async function sendAttempts(apiRequest: ApiRequest, clientContext: ClientContext): Promise<SettledAttempt> {
  refuseUnsendableRequest(apiRequest);
  if (clientContext.readOnly !== undefined) refuseIfReadOnly(apiRequest, clientContext.readOnly);
  if (clientContext.approvers !== undefined)
    (await import("../needs-signature.ts")).refuseWithoutSignature(apiRequest, clientContext.approvers);
  for (const secret of secretFieldsIn(apiRequest.body)) clientContext.secrets?.add(secret);
  const settled = await retryMissing(apiRequest, await sendAsSpelled(apiRequest, clientContext), clientContext);
  const { outcome } = settled;
  if (apiRequest.isExact || outcome.fault !== "refused" || outcome.reply.status !== 400) return settled;
  const body = respellRequest(apiRequest);
  if (body === undefined) return settled;
  clientContext.report({ type: "respelled", words: shownRequestWords(replyFailureText(outcome.reply), apiRequest) });
  return await sendAsSpelled({ ...apiRequest, body }, clientContext);
}

/** Reads a missing route twice more and, except in bulk, a missing resource once: another instance may have it. */
async function retryMissing(
  request: ApiRequest,
  settled: SettledAttempt,
  clientContext: ClientContext,
): Promise<SettledAttempt> {
  const { retries, isPatient = retries > 0, inBulk, remaining, report } = clientContext;
  const { kind, method } = request.operation;
  if (kind !== "read" || method !== "GET" || !isPatient) return settled;
  for (let attempt = 2; attempt <= 3; attempt++) {
    const { outcome } = settled;
    if (!isMissing(outcome, !inBulk && attempt === 2) || (remaining?.() ?? 1) <= 0) return settled;
    const { status } = outcome.reply;
    report({ type: "retry", why: `${status}; another instance may have it`, wait: 0, attempt, of: retries + 1 });
    const next = await sendAsSpelled(request, clientContext);
    if (isMissing(next.outcome, false)) continue;
    if (next.outcome.fault !== "none") return next;
    const [path] = wireRequest(request, clientContext).target.split("?");
    const text = `one instance of the service responded HTTP ${status} to GET ${path}, and another one has it`;
    report({ type: "note", text });
    return next;
  }
  return settled;
}

/** Returns whether a route is missing, or with `orResource` a resource: only a response about a resource has an envelope. */
function isMissing(outcome: Outcome, orResource: boolean): outcome is Outcome & { fault: "refused" } {
  if (outcome.fault !== "refused" || ![404, 405].includes(outcome.reply.status)) return false;
  return orResource || !outcome.reply.envelope;
}

async function sendAsSpelled(apiRequest: ApiRequest, clientContext: ClientContext): Promise<SettledAttempt> {
  const { operation, body, hidden } = apiRequest;
  const { kind } = operation;
  const started = clientContext.clock.elapsed();
  for (let attempts = 1; ; attempts++) {
    const turn = clientContext.throttle.turn(clientContext.interrupt, () => longestWait(clientContext));
    const left = typeof turn === "number" ? turn : await turn;
    refuseWhenOver(clientContext);
    // Nothing may come between a request's turn and its start.
    const current = clientContext.renewed ? await withRenewed(clientContext) : clientContext;
    const request = wireRequest(apiRequest, current);
    const { method, target } = request;
    const writes = kind !== "read";
    clientContext.report({ type: "attempt", method, target, writes, attempt: attempts, of: clientContext.retries + 1 });
    if (clientContext.trace) {
      const shown = requestWithoutHeaderValues(request, current);
      clientContext.trace.sent(
        hidden?.length ? { ...shown, body: writeJson(requestWithoutHidden(body ?? null, hidden)) } : shown,
      );
    }
    const outcome = await tryOnce(apiRequest, request, current);
    tellThrottle(outcome, left, clientContext);
    const elapsed = clientContext.clock.elapsed() - started;
    const action = nextAction(kind, outcome, {
      attempts,
      retries: clientContext.retries,
      elapsed,
      inBulk: clientContext.inBulk === true,
    });
    if (action !== "retry") return { outcome, action };
    const wait = backoffBeforeAttempt(outcome, attempts, clientContext.clock, clientContext.random);
    if (wait >= longestWait(clientContext)) return { outcome, action: "fail" };
    reportRetry(apiRequest, outcome, { wait, attempt: attempts + 1 }, clientContext);
    await clientContext.clock.sleep(wait, clientContext.interrupt);
    refuseWhenInterrupted(clientContext);
  }
}

/** Renews expired credentials; a request without a token stays without one. */
async function withRenewed(clientContext: ClientContext): Promise<ClientContext> {
  const { renewed, token } = clientContext;
  return { ...clientContext, ...(await renewed?.()), ...(token === "" && { token }) };
}

/** Reports a long wait, except of a read without retries: its caller repeats it, and reports that. */
function reportRetry(
  request: ApiRequest,
  outcome: Outcome,
  { wait, attempt }: { wait: number; attempt: number },
  { clock, inBulk, remaining, report, retries, throttle }: ClientContext,
): void {
  report({ type: "retry", why: shownRequestWords(whyFailed(outcome), request), wait, attempt, of: retries + 1 });
  const isTold = request.operation.kind !== "read" || retries > 0;
  if (outcome.fault !== "limited" || !isTold || !throttle.isNoted(wait)) return;
  const timeAfter = (milliseconds: number) => attemptTimeText(clock.now() + milliseconds);
  const before = `before attempt ${attempt} of ${(inBulk ? BULK_RETRIES : retries) + 1}`;
  const end = remaining ? `, and gives up at ${timeAfter(remaining())}` : "";
  const text = `${replyStatusText(outcome.reply)}; relayctl waits until ${timeAfter(wait)} ${before}${end}`;
  report({ type: "note", text });
}

function longestWait({ remaining }: ClientContext): number {
  return remaining?.() ?? LONGEST_WAIT;
}

function tellThrottle(outcome: Outcome, left: number, { throttle, clock }: ClientContext): void {
  if (outcome.fault === "limited") throttle.refused(left, leastAttemptBackoff(outcome, clock));
  else if ("reply" in outcome) throttle.passed();
}

function refuseWhenOver({ remaining }: ClientContext): void {
  if (remaining && remaining() <= 0)
    throw new RelayctlError("network", "the deadline of the command has passed; nothing more was sent");
}

function refuseWhenInterrupted({ interrupt }: ClientContext): void {
  if (interrupt.aborted) throw interruptedError("; nothing was changed");
}

function whyFailed(outcome: Outcome): string {
  if ("why" in outcome) return outcome.why;
  if (outcome.fault === "not_sent") return outcome.failure.message;
  return outcome.fault === "none" ? "" : replyFailureText(outcome.reply);
}

function attemptEnd(request: ApiRequest, clientContext: ClientContext): AttemptEnd {
  return clientContext.ends && request.operation.kind !== "read"
    ? clientContext.ends.take(clientContext)
    : createEnd(request, clientContext);
}

function createEnd(request: ApiRequest, clientContext: ClientContext): AttemptEnd {
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
