import { RuleError } from "../sourced.ts";

/**
 * Returns the address of a server: `https://relayer.example.org`, or with the path below which a gateway has it,
 * `https://gw.example.org/relayer`. Trailing slashes and `/api/v1` are removed; any other part of a URL is refused,
 * because it would be lost or sent to a stranger.
 * @throws RuleError that never quotes user-info or a query
 */
export function parseServer(text: string): string {
  const url = parseHttpUrl(text);
  if (DOTS.test(text)) throw new RuleError("has . or .. in its path; write the path as it is", text);
  if (url.pathname === "/") return url.origin;
  const base = url.pathname.replace(/\/+$/, "").replace(/\/+api\/v1$/, "");
  const route = /\/api\/v1(\/.*)$/.exec(base)?.[1];
  if (route !== undefined) throw new RuleError(`has a path below /api/v1; remove ${route}`, text);
  return url.origin + base.replace(/\/+$/, "");
}

/** Parts of a path that a URL resolves, and the service would not see. */
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

export function shownOrigin(text: string): string {
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
export function isLoopbackOrigin(origin: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

/** Returns whether a `Host` is this machine: a web page could reach it by another name. */
export function isLocalHost(host = ""): boolean {
  const origin = `http://${host}`;
  return URL.canParse(origin) && isLoopbackOrigin(origin);
}

/** Returns why a token may not be sent to an origin: plain http to another machine. @param way to allow it */
export function plainHttpOriginProblem(origin: string, way = "--allow-http"): string | undefined {
  if (!origin.startsWith("http:") || isLoopbackOrigin(origin)) return undefined;
  return `plain HTTP would expose the token on the network; use HTTPS, or allow plain HTTP with ${way}`;
}
