import { receivedTime } from "../../contract/reply/received-time.ts";
import { interruptedError, RelayctlError, unsentError } from "../../errors.ts";
import { FIRST_BACKOFF, LONGEST_BACKOFF, RATE_LIMIT_BACKOFF } from "../../timing.ts";
import type { Clock, Random } from "../clock.ts";
import type { ApiRequest } from "../request.ts";
import type { TransportFailure } from "../transport/transport.ts";
import { gatewayWords } from "./gateway.ts";
import type { Outcome } from "./outcome.ts";
import { failedHttpFacts, refusalError } from "./refusal.ts";
import { replyFailureText } from "./reply.ts";

/** Returns the milliseconds before the next attempt: as requested, or a random part of a doubling span. */
export function backoffBeforeAttempt(outcome: Outcome, attempts: number, clock: Clock, random: Random): number {
  const jitter = random.fraction() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (attempts - 1));
  return Math.ceil(jitter + (outcome.fault === "limited" ? leastAttemptBackoff(outcome, clock) : 0));
}

/** Returns the milliseconds during which no request may be sent to a service that refused the rate. */
export function leastAttemptBackoff({ reply }: Outcome & { fault: "limited" }, clock: Pick<Clock, "now">): number {
  return (retryAfter(reply.headers["retry-after"], clock.now()) ?? 0) + RATE_LIMIT_BACKOFF;
}

const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns the milliseconds of a `Retry-After` header: digits, or a date that has not passed. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^[0-9]{1,10}$/.test(header)) return Number(header) * 1000;
  if (!DATE.test(header)) return undefined;
  const until = receivedTime(header) - now;
  return until > 0 ? until : undefined;
}

export function failedAttempt(request: ApiRequest, outcome: Outcome, clock: Clock): RelayctlError {
  switch (outcome.fault) {
    case "not_sent":
      return notSentError(request, outcome.failure);
    case "limited":
      return limitedError(request, outcome, clock);
    case "refused":
      return refusalError(request, outcome.reply);
    case "lost":
    case "unreadable":
      return noResponseError(request, outcome);
    case "none":
      return new RelayctlError("internal", "a success was taken for a failure");
  }
}

function notSentError({ operation }: ApiRequest, failure: TransportFailure): RelayctlError {
  if (failure.reason === "interrupted")
    return interruptedError(`; ${operation.kind === "read" ? UNCHANGED : "nothing was sent"}`, { cause: failure });
  return unsentError("network", failure.message, { cause: failure });
}

/** An interrupted read changes nothing, whether or not an attempt was sent. */
const UNCHANGED = "nothing was changed";

function limitedError(request: ApiRequest, { reply }: Outcome & { fault: "limited" }, clock: Clock): RelayctlError {
  const requested = retryAfter(reply.headers["retry-after"], clock.now());
  const until = requested ? [`the service asks to wait until ${attemptTimeText(clock.now() + requested)}`] : [];
  return new RelayctlError("rate_limited", replyFailureText(reply), {
    because: until,
    http: failedHttpFacts(request, reply.status),
  });
}

/** Returns the error for a read without a usable response: no connection (10), or unreadable (9). */
function noResponseError(request: ApiRequest, outcome: Outcome & { fault: "lost" | "unreadable" }): RelayctlError {
  const { reply } = outcome;
  if (reply && (outcome.fault === "lost" || gatewayWords(reply) !== undefined)) return refusalError(request, reply);
  const { failure } = outcome;
  if (failure?.reason === "interrupted") return interruptedError(`; ${UNCHANGED}`, { cause: failure });
  const status = outcome.fault === "unreadable" ? outcome.status : failure?.status;
  return new RelayctlError(isUnreadable(failure) ? "server" : "network", outcome.why, {
    cause: failure,
    ...(status !== undefined && { http: failedHttpFacts(request, status) }),
  });
}

function isUnreadable(failure: TransportFailure | undefined): boolean {
  if (!failure || ["protocol", "too_large", "encoding"].includes(failure.reason)) return true;
  return failure.status !== undefined && failure.reason !== "timeout";
}

/** Formats a time for display, in UTC and without fractions of a second: `2026-11-21T03:12:07Z`. */
export function attemptTimeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}
