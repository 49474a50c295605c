import { RelayctlError } from "../../errors.ts";
import type { Clock } from "../clock.ts";
import { type ApiRequest, targetOf } from "../request.ts";
import type { TransportFailure } from "../transport/transport.ts";
import { retryAfter } from "./backoff.ts";
import { gatewayWords } from "./gateway.ts";
import type { Outcome } from "./outcome.ts";
import { refusal } from "./refusal.ts";
import { failureText } from "./reply.ts";

/** Returns the error for a request that is known not to have been applied, or that only read. */
export function failed(request: ApiRequest, outcome: Outcome, clock: Clock): RelayctlError {
  switch (outcome.fault) {
    case "not_sent":
      return notSent(request, outcome.failure);
    case "limited":
      return limited(request, outcome, clock);
    case "refused":
      return refusal(request.operation, targetOf(request), outcome.reply);
    case "lost":
    case "unreadable":
      return noResponse(request, outcome);
    case "none":
      return new RelayctlError("internal", "a success was taken for a failure");
  }
}

function notSent({ operation }: ApiRequest, failure: TransportFailure): RelayctlError {
  if (failure.reason === "interrupted") {
    return operation.kind === "read" ? readInterrupted(failure) : interrupted("nothing was sent", failure);
  }
  return new RelayctlError("network", failure.message, { because: ["nothing was sent"], cause: failure });
}

/** Returns the error for an interrupted read, whether or not an attempt was sent: a read changes nothing. */
function readInterrupted(failure: TransportFailure): RelayctlError {
  return interrupted("nothing was changed", failure);
}

function interrupted(fact: string, cause: TransportFailure): RelayctlError {
  return new RelayctlError("interrupted", `interrupted; ${fact}`, { cause });
}

function limited(request: ApiRequest, { reply }: Outcome & { fault: "limited" }, clock: Clock): RelayctlError {
  const requested = retryAfter(reply.headers["retry-after"], clock.now());
  const until = requested ? [`the service asks to wait until ${timeOf(clock.now() + requested)}`] : [];
  return new RelayctlError("rate_limited", failureText(reply), {
    because: [...until, "nothing was applied"],
    http: httpFacts(request, reply.status),
  });
}

/** Returns the error for a read without a usable response: no connection (10), or unreadable (9). */
function noResponse(request: ApiRequest, outcome: Outcome & { fault: "lost" | "unreadable" }): RelayctlError {
  const { reply } = outcome;
  if (reply && (outcome.fault === "lost" || gatewayWords(reply) !== undefined))
    return refusal(request.operation, targetOf(request), reply);
  const { failure } = outcome;
  if (failure?.reason === "interrupted") return readInterrupted(failure);
  const status = outcome.fault === "unreadable" ? outcome.status : failure?.status;
  return new RelayctlError(isUnreadable(failure) ? "server" : "network", outcome.why, {
    cause: failure,
    ...(status !== undefined && { http: httpFacts(request, status) }),
  });
}

function isUnreadable(failure: TransportFailure | undefined): boolean {
  if (!failure || ["protocol", "too_large", "encoding"].includes(failure.reason)) return true;
  return failure.status !== undefined && failure.reason !== "timeout";
}

export function httpFacts(request: ApiRequest, status: number): { status: number; method: string; path: string } {
  return { status, method: request.operation.method, path: targetOf(request) };
}

/** Formats a time for display, in UTC and without fractions of a second: `2026-11-21T03:12:07Z`. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}
