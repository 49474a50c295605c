import { RelayctlError } from "../errors.ts";
import type { Clock } from "./clock.ts";
import type { TransportFailure } from "./exchange.ts";
import type { Outcome } from "./outcome.ts";
import { retryAfter } from "./pause.ts";
import { refusal } from "./refusal.ts";
import { failureText } from "./reply.ts";
import { type Ask, targetOf } from "./request.ts";

/** The error for a request that is known not to have been applied, or that only read. */
export function failed(ask: Ask, outcome: Outcome, clock: Clock): RelayctlError {
  switch (outcome.fault) {
    case "not_sent":
      return notSent(ask, outcome.failure);
    case "limited":
      return limited(ask, outcome, clock);
    case "refused":
      return refusal(ask.operation, targetOf(ask), outcome.reply);
    case "lost":
    case "unreadable":
      return noAnswer(ask, outcome);
    case "none":
      return new RelayctlError("internal", "a success was taken for a failure");
  }
}

function notSent({ operation }: Ask, failure: TransportFailure): RelayctlError {
  if (failure.reason === "interrupted") {
    return operation.kind === "read" ? readInterrupted(failure) : interrupted("nothing was sent", failure);
  }
  return new RelayctlError("network", failure.message, { because: ["nothing was sent"], cause: failure });
}

/** Whether or not an attempt was sent before: a read changes nothing. */
function readInterrupted(failure: TransportFailure): RelayctlError {
  return interrupted("nothing was changed", failure);
}

function interrupted(fact: string, cause: TransportFailure): RelayctlError {
  return new RelayctlError("interrupted", `interrupted; ${fact}`, { cause });
}

function limited(ask: Ask, { reply }: Outcome & { fault: "limited" }, clock: Clock): RelayctlError {
  const asked = retryAfter(reply.headers["retry-after"], clock.now());
  const until = asked ? [`the service asks to wait until ${timeOf(clock.now() + asked)}`] : [];
  return new RelayctlError("rate_limited", failureText(reply), {
    because: [...until, "nothing was applied"],
    http: httpFacts(ask, reply.status),
  });
}

/** A read without a usable answer: the way failed (10), or what came over it was unreadable (9). */
function noAnswer(ask: Ask, outcome: Outcome & { fault: "lost" | "unreadable" }): RelayctlError {
  if (outcome.fault === "lost" && outcome.reply) return refusal(ask.operation, targetOf(ask), outcome.reply);
  const { failure } = outcome;
  if (failure?.reason === "interrupted") return readInterrupted(failure);
  const status = outcome.fault === "unreadable" ? outcome.status : failure?.status;
  return new RelayctlError(isUnreadable(failure) ? "server" : "network", outcome.why, {
    cause: failure,
    ...(status !== undefined && { http: httpFacts(ask, status) }),
  });
}

function isUnreadable(failure: TransportFailure | undefined): boolean {
  if (!failure || ["protocol", "too_large", "encoding"].includes(failure.reason)) return true;
  return failure.status !== undefined && failure.reason !== "timeout";
}

export function httpFacts(ask: Ask, status: number): { status: number; method: string; path: string } {
  return { status, method: ask.operation.method, path: targetOf(ask) };
}

/** A time for a person, in UTC whatever the machine's zone: `03:12:07Z` today, with its date otherwise. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}
