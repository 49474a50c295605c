import type { Operation } from "../../contract/operation.ts";
import { type Failure, type HttpFacts, type ListedNoun, RelayctlError, type Subject } from "../../errors.ts";
import { type ApiRequest, requestTarget } from "../request.ts";
import { gatewayWords } from "./gateway.ts";
import { type Reply, replyFailureText } from "./reply.ts";
import { isCutJsonReply } from "./shown-text.ts";

/** Messages about a temporary state, not about the request (promises 4.3). */
const PASSING = [/^Relayer (?:is )?(?:paused|disabled)/, /^Unable to calculate sufficient price bump/];
const LASTING = [
  /^Invalid transaction state for/,
  /^Cannot (?:replace|cancel) transaction with status/,
  /^Cannot delete/,
  /is already in use by relayer/,
];

/** The only missing resource that is reported without an envelope (facts 3.6). */
const METRIC_MISSING = "Metric not found";

/** The messages of interface 1.4, for a service that reports a failure without a distinctive status. */
const MESSAGES: readonly { words: RegExp; failure: Failure }[] = [
  { words: /^Bad Request$/, failure: "rejected" },
  { words: /^Unauthorized$/, failure: "auth" },
  {
    words: /^(?:Not found|(?:Relayer|Notification|Transaction|Signer|Network|Plugin) .*not found)$/,
    failure: "not_found",
  },
  { words: /already exists$/, failure: "conflict" },
  { words: /^Too Many Requests$/, failure: "rate_limited" },
  { words: /^Internal Server Error$/, failure: "server" },
];

/** Redirects that mean that nothing was done. A 303 means the opposite, and a 304 is not a response to a write. */
const REDIRECTS: readonly number[] = [301, 302, 307, 308];

/**
 * Returns whether a status is a refusal (promises 4.3); for a write, whether it can mean that nothing was applied. Any
 * other status proves nothing. The transport also verifies that only this response came after the request, over
 * HTTP/1.0 or 1.1.
 */
export function isRefusalReply({ kind }: Operation, { status, envelope }: Reply): boolean {
  if (envelope?.success && kind !== "read") return false;
  if (status >= 400 && status <= 499) return status !== 408;
  if (kind === "read" && status >= 300 && status <= 399) return true;
  return REDIRECTS.includes(status) || (status === 501 && envelope !== undefined);
}

/** Returns the error for a refusal. The caller has verified that the response is a refusal: nothing was applied. */
export function refusalError(request: ApiRequest, reply: Reply): RelayctlError {
  const words = replyFailureText(reply);
  const http = failedHttpFacts(request, reply.status);
  if (gatewayWords(reply) !== undefined)
    return new RelayctlError("auth", words, { http, subject: { kind: "gateway" } });
  const failure = failureFor(reply, words);
  const noRoute = reply.status === 404 && failure === "rejected" && !isCutJsonReply(reply);
  const subject = findSubject(failure, words);
  return new RelayctlError(failure, words, {
    because: noRoute ? [routeMissing(request.operation)] : [],
    ...(failure === "conflict" && { retryable: reply.status === 403 || matchesAny(PASSING, words) }),
    http,
    ...(subject && { subject }),
  });
}

export function failedHttpFacts(request: ApiRequest, status: number): HttpFacts {
  const { method, kind } = request.operation;
  return { status, method, path: requestTarget(request), ...(kind === "read" && { isRead: true }) };
}

const NOUNS: Readonly<Record<string, ListedNoun>> = {
  Network: "networks",
  Notification: "notifications",
  Plugin: "plugins",
  Relayer: "relayers",
  Signer: "signers",
};

/** Reads from the service's words what the refusal is about, since the status does not show it. */
function findSubject(failure: Failure, words: string): Subject | undefined {
  if (failure !== "conflict") {
    return / not found\b/.test(words) ? { kind: "missing", noun: NOUNS[/^\w+/.exec(words)?.[0] ?? ""] } : undefined;
  }
  if (/paused/i.test(words)) return { kind: "paused" };
  if (/disabled/i.test(words)) return { kind: "disabled" };
  return /\btransaction\(s\)/.test(words) ? { kind: "has_transactions" } : undefined;
}

function routeMissing({ since }: Operation): string {
  if (since) return `this service does not have this route; it was added in v${since}`;
  return "route not found, or the server is not a relayer service";
}

function failureFor({ status, envelope }: Reply, words: string): Failure {
  if (status < 200) return "server";
  if (status < 300) return failureInWords(words) ?? "rejected";
  if (status >= 500) return status === 501 && envelope ? "rejected" : "server";
  switch (status) {
    case 400:
      return speaksOfState(words) ? "conflict" : "rejected";
    case 401:
      return "auth";
    case 403:
      return /paused|disabled/i.test(words) ? "conflict" : "auth";
    case 404:
      return envelope || words === METRIC_MISSING ? "not_found" : "rejected";
    case 408:
      return "network";
    case 409:
      return "conflict";
    case 429:
      return "rate_limited";
    default:
      return "rejected";
  }
}

function failureInWords(words: string): Failure | undefined {
  return speaksOfState(words) ? "conflict" : MESSAGES.find((known) => known.words.test(words))?.failure;
}

function speaksOfState(words: string): boolean {
  return matchesAny([...PASSING, ...LASTING], words);
}

function matchesAny(patterns: readonly RegExp[], words: string): boolean {
  return patterns.some((pattern) => pattern.test(words));
}

/** Returns whether a failure with a 2xx status says that nothing was done; otherwise a write's end is unknown. */
export function saysRefusal(reply: Reply): boolean {
  const kind = failureInWords(replyFailureText(reply));
  return kind !== undefined && kind !== "server";
}
