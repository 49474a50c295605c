import { RuleError } from "../sourced.ts";

/**
 * Returns the origin of a server's URL: `https://relayer.example.org`. Trailing slashes and `/api/v1` are removed; any
 * other part of a URL is refused, because it would be lost or sent to a stranger.
 * @throws RuleError that never quotes user-info or a query
 */
export function parseServer(text: string): string {
  const url = parseHttpUrl(text);
  if (!/^\/*(?:api\/v1)?\/*$/.test(url.pathname))
    throw new RuleError("has a path; remove everything after the host and port, except /api/v1", text);
  return url.origin;
}

/** Returns a stored server for display. A hand-written value may contain anything; the error is then shown instead. */
export function shownServer(text: string): string {
  try {
    return parseServer(text);
  } catch (error) {
    if (error instanceof RuleError) return `unusable: it ${error.message}`;
    throw error;
  }
}

/** Parses an http or https URL without user-info, query, and fragment. @throws RuleError */
function parseHttpUrl(text: string): URL {
  if (text === "") throw new RuleError("is empty");
  // Any other text may be a secret, e.g. a token in the wrong variable.
  if (!/^https?:\/\//i.test(text)) throw new RuleError("must begin with https:// or http://");
  if (/[@?#]/.test(text)) throw new RuleError("must not contain a user name, a password, a query, or a fragment");
  if (/[\s\\]/.test(text) || !URL.canParse(text)) throw new RuleError("is not a valid URL", text);
  return new URL(text);
}

/** Returns whether an origin is on this machine: `localhost`, 127.0.0.0/8, or `[::1]`. */
export function isLoopback(origin: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

/** Returns why a token may not be sent to an origin unless explicitly allowed: plain http to another machine. @param way what allows it */
export function plainHttpProblem(origin: string, way = "--allow-http"): string | undefined {
  if (!origin.startsWith("http:") || isLoopback(origin)) return undefined;
  return `plain HTTP would expose the token on the network; use HTTPS, or allow plain HTTP with ${way}`;
}
