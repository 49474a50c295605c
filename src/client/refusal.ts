import { type Failure, RelayctlError } from "../errors.ts";
import type { Operation } from "../contract/operation.ts";
import { failureText, type Reply } from "./reply.ts";

/** Words of a 400 that speak of a state and not of the request (design 4), and whether the state passes by itself. */
const STATES: readonly { words: RegExp; passes: boolean }[] = [
  { words: /^Relayer is disabled/, passes: true },
  { words: /^Relayer is paused/, passes: true },
  { words: /^Relayer (?:paused|disabled)/, passes: true },
  { words: /^Unable to calculate sufficient price bump/, passes: true },
  { words: /^Invalid transaction state for/, passes: false },
  { words: /^Cannot (?:replace|cancel) transaction with status/, passes: false },
  { words: /^Cannot delete/, passes: false },
  { words: /is already in use by relayer/, passes: false },
];

/** The messages of interface.md, Errors, for a service that says failure without a telling status. */
const MESSAGES: readonly { words: RegExp; failure: Failure }[] = [
  { words: /^Unauthorized$/, failure: "auth" },
  { words: /^(?:Not found|(?:Relayer|Notification|Transaction|Signer|Network|Plugin) .*not found)$/, failure: "not_found" },
  { words: /already exists$/, failure: "conflict" },
  { words: /^Too Many Requests$/, failure: "rate_limited" },
  { words: /^Internal Server Error$/, failure: "server" },
];

/** The error for a reply that says no. The caller has made sure that it is a refusal: nothing was applied. */
export function refusal(operation: Operation, target: string, reply: Reply): RelayctlError {
  const words = failureText(reply);
  const state = STATES.find((known) => known.words.test(words));
  const failure = state && [200, 400, 403].includes(reply.status) ? "conflict" : refusalKind(reply, words);
  const because = reply.status === 404 && !reply.envelope ? ["there is no such route, or this is no relayer service"] : [];
  return new RelayctlError(failure, words, {
    because,
    ...(state && failure === "conflict" && { retryable: state.passes }),
    http: { status: reply.status, method: operation.method, path: target },
  });
}

function refusalKind(reply: Reply, words: string): Failure {
  switch (reply.status) {
    case 401:
    case 403:
      return "auth";
    case 404:
      return reply.envelope ? "not_found" : "rejected";
    case 408:
      return "network";
    case 409:
      return "conflict";
    case 429:
      return "rate_limited";
    default:
      if (reply.status >= 500 && reply.status !== 501) return "server";
      return reply.status < 300 ? wordsKind(words) : "rejected";
  }
}

function wordsKind(words: string): Failure {
  return MESSAGES.find((known) => known.words.test(words))?.failure ?? "rejected";
}

/** Whether a failure told with a 2xx is one whose words say that nothing was done; else the outcome of a write is unknown. */
export function saysRefused(reply: Reply): boolean {
  const words = failureText(reply);
  const known = STATES.some((state) => state.words.test(words)) || /^Bad Request$/.test(words);
  return known || !["rejected", "server"].includes(wordsKind(words));
}
