import type { Problem } from "../../errors.ts";
import { type Environment, variable } from "../environment.ts";
import { RuleError, type Sourced, validated } from "../sourced.ts";
import { isBypassed } from "./no-proxy.ts";
import { isLoopback } from "./origin.ts";

/**
 * Parses a proxy's URL, with `http://` if there is no scheme, like curl; or `none`.
 * @throws RuleError that never quotes user-info
 */
export function parseProxy(text: string): string {
  if (text === "none") return text;
  const given = text.includes("@") ? undefined : text;
  const whole = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(whole) && !/\s/.test(text) ? new URL(whole) : undefined;
  if (!url || url.hostname === "")
    throw new RuleError("must be a proxy URL, e.g. http://proxy.example.org:3128, or none", given);
  if (!/^https?:$/.test(url.protocol)) throw new RuleError("must begin with http:// or https://", given);
  if (url.pathname !== "/" || /[?#]/.test(text)) throw new RuleError("must end after the host and port", given);
  return url.href;
}

/** Returns a proxy's URL for display: without user-info. */
export function shownProxy(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/**
 * Returns the proxy for an origin: the one chosen for this program, or the environment's, lowercase names first. A
 * server on this machine is always reached directly.
 * @param chosen the result of `parseProxy` for `--proxy` or `RELAYCTL_PROXY`
 */
export function proxyFor(
  origin: string,
  chosen: Sourced<string> | undefined,
  env: Environment,
  problems: Problem[],
): Sourced<string> | undefined {
  if (isLoopback(origin)) return undefined;
  const proxy = chosen ?? validated(environmentProxy(origin, env), parseProxy, problems);
  return proxy?.value === "none" ? undefined : proxy;
}

function environmentProxy(origin: string, env: Environment): Sourced<string> | undefined {
  const names = origin.startsWith("https:") ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const from = names.find((name) => variable(env, name));
  const value = from && variable(env, from);
  const excepted = variable(env, "no_proxy") ?? variable(env, "NO_PROXY") ?? "";
  return value && !isBypassed(excepted, origin) ? { value, from } : undefined;
}
