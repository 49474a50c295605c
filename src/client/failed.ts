import { RelayctlError } from "../errors.ts";
import type { Clock } from "./clock.ts";
import type { Outcome } from "./outcome.ts";
import { refusal } from "./refusal.ts";
import { failureText } from "./reply.ts";
import { type Ask, targetOf } from "./request.ts";
import type { Settled } from "./send.ts";

/** The error for a request that is known not to have been applied, or that only read. */
export function failed(ask: Ask, { outcome, tooLong }: Settled, clock: Clock): RelayctlError {
  switch (outcome.fault) {
    case "not_sent":
      return notSent(outcome.failure.reason === "interrupted", outcome.failure.message, outcome.failure);
    case "limited":
      return limited(ask, outcome, tooLong, clock);
    case "refused":
      return refusal(ask.operation, targetOf(ask), outcome.reply);
    case "lost":
      return lostRead(ask, outcome);
    case "unreadable":
      return new RelayctlError("server", outcome.why, { http: httpFacts(ask, outcome.status) });
    case "none":
      return new RelayctlError("internal", "a success was taken for a failure");
  }
}

function notSent(interrupted: boolean, message: string, cause: unknown): RelayctlError {
  if (interrupted) return new RelayctlError("interrupted", "interrupted; nothing was sent", { cause });
  return new RelayctlError("network", message, { because: ["nothing was sent"], cause });
}

function limited(ask: Ask, outcome: Outcome & { fault: "limited" }, tooLong: number | undefined, clock: Clock): RelayctlError {
  const until = tooLong === undefined ? [] : [`it asks to wait until ${timeOf(clock.now() + tooLong)}, longer than --deadline allows`];
  return new RelayctlError("rate_limited", failureText(outcome.reply), {
    because: [...until, "nothing was applied"],
    http: httpFacts(ask, outcome.reply.status),
  });
}

function lostRead(ask: Ask, outcome: Outcome & { fault: "lost" }): RelayctlError {
  if (outcome.reply) return refusal(ask.operation, targetOf(ask), outcome.reply);
  if (outcome.failure?.reason === "interrupted") return new RelayctlError("interrupted", "interrupted");
  return new RelayctlError("network", outcome.why, { cause: outcome.failure });
}

export function httpFacts(ask: Ask, status: number): { status: number; method: string; path: string } {
  return { status, method: ask.operation.method, path: targetOf(ask) };
}

/** A time for a person, in UTC whatever the machine's zone: `03:12:07Z` today, with its date otherwise. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}
