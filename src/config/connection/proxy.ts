import type { Problem } from "../../errors.ts";
import { type Environment, readEnv } from "../environment.ts";
import { parseSourced, RuleError, type Sourced } from "../sourced.ts";
import { isLoopbackOrigin } from "./origin.ts";

/** Parses a proxy's URL, by default with `http://`, or `none`. @throws RuleError that never quotes user-info */
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

/** Returns whether TLS is used on the way to a server: with it, or with the proxy before it. */
export function usesTls(...urls: readonly (string | undefined)[]): boolean {
  return urls.some((url) => url?.startsWith("https:"));
}

export function shownProxy(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Returns the chosen one, or the environment's, lowercase first; none for a local server. */
export function proxyFor(
  origin: string,
  chosen: Sourced<string> | undefined,
  env: Environment,
  problems: Problem[],
): Sourced<string> | undefined {
  if (isLoopbackOrigin(origin)) return undefined;
  const proxy = chosen ?? parseSourced(environmentProxy(origin, env), parseProxy, problems);
  return proxy?.value === "none" ? undefined : proxy;
}

function environmentProxy(origin: string, env: Environment): Sourced<string> | undefined {
  const names = origin.startsWith("https:") ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const from = names.find((name) => readEnv(env, name));
  const value = from && readEnv(env, from);
  const excepted = readEnv(env, "no_proxy") ?? readEnv(env, "NO_PROXY") ?? "";
  return value && !isProxyBypassed(excepted, origin) ? { value, from } : undefined;
}

/** Follows curl's rules: names with their subdomains, addresses, IPv4 networks, or `*`. A port may follow. */
export function isProxyBypassed(list: string, origin: string): boolean {
  const url = new URL(origin);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const host = url.hostname.replace(/\.$/, "");
  return list.split(/[\s,]+/).some((entry) => entry !== "" && matchesHost(entry.toLowerCase(), host, port));
}

function matchesHost(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, name = "", ownPort] = /^(\[.*\]|[^:]*):([0-9]+)$/.exec(entry) ?? [undefined, entry];
  if (ownPort !== undefined && ownPort !== port) return false;
  return name.includes("/") ? isInNetwork(name, host) : isSameOrBelow(name, host);
}

function isSameOrBelow(entry: string, host: string): boolean {
  const name = entry.replace(/^\*?\./, "").replace(/\.$/, "");
  const literal = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  const isAddress = host.startsWith("[") || parseIpv4(host) !== undefined;
  return host === literal || (!isAddress && name !== "" && `.${host}`.endsWith(`.${name}`));
}

function isInNetwork(network: string, host: string): boolean {
  const [base = "", bits = ""] = network.split("/");
  const [from, address] = [parseIpv4(base), parseIpv4(host)];
  if (from === undefined || address === undefined || !/^(?:[12]?[0-9]|3[0-2])$/.test(bits)) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(from / size) === Math.floor(address / size);
}

function parseIpv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}
