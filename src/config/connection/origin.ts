import { RuleError } from "../rule-error.ts";

/**
 * The origin of a server's URL: `https://relayer.example.org`. Trailing slashes and `/api/v1` are taken off; whatever else
 * a URL may hold is refused, because it would be lost or sent to a stranger.
 * @throws RuleError that never quotes user-info or a query
 */
export function parseServer(text: string): string {
  const url = parseHttpUrl(text);
  if (!/^\/*(?:api\/v1)?\/*$/.test(url.pathname))
    throw new RuleError("has a path; it ends after the host and port, or with /api/v1", text);
  return url.origin;
}

/** A stored server as it may be shown. One that was written by hand may hold anything; then it is told what is wrong with it. */
export function shownServer(text: string): string {
  try {
    return parseServer(text);
  } catch (error) {
    if (error instanceof RuleError) return `unusable: it ${error.message}`;
    throw error;
  }
}

/** A URL of http or https without user-info, query and fragment. @throws RuleError */
function parseHttpUrl(text: string): URL {
  if (text === "") throw new RuleError("is empty");
  // What does not begin so may be anything, as a token that was put into the wrong variable.
  if (!/^https?:\/\//i.test(text)) throw new RuleError("must begin with https:// or http://");
  if (/[@?#]/.test(text)) throw new RuleError("must not contain a user name, a password, a query, or a fragment");
  if (/[\s\\]/.test(text) || !URL.canParse(text)) throw new RuleError("is not a valid URL", text);
  return new URL(text);
}

/** Whether an origin is on this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(origin: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

/** Why a token may not be sent to an origin, unless that was allowed: plain http to another machine. */
export function plainHttpProblem(origin: string): string | undefined {
  if (!origin.startsWith("http:") || isLoopback(origin)) return undefined;
  return "plain HTTP would expose the token on the network; use HTTPS, or allow plain HTTP with --allow-http";
}
