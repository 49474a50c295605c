/** Headers of a connection, not of what is sent over it. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set(
  "connection content-length expect host http2-settings keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

const OWN = ["accept", "accept-encoding", "content-type"];
export const NO_NAME = "is not the name of a header";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const MAX_LENGTH = 64 * 1024;

/** Returns why a header can't be added to a request; undefined if it can. It quotes no value. */
export function headerProblem(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) return NO_NAME;
  if (lower === "authorization") return "is the token; use --token-file, RELAYCTL_TOKEN, or auth login";
  if (OWN.includes(lower)) return "is set by relayctl";
  // Inside the tunnel of a proxy, it is for the gateway.
  if (HOP_BY_HOP.has(lower) && lower !== "proxy-authorization") return "belongs to the connection, not to a request";
  if (value === "") return "has no value";
  if (value.length > MAX_LENGTH) return "is longer than 64 KiB";
  return /^[\x20-\x7e]*$/.test(value) ? undefined : "has a control character or a non-ASCII character";
}

/** Returns headers with unique names, in any case; the last one counts. */
export function mergedHeaders<T>(...each: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  const merged = new Map<string, readonly [name: string, value: T]>();
  for (const [name, value] of each.flatMap((headers) => Object.entries(headers)))
    merged.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(merged.values());
}

/** Returns the secrets of a header's value: all of it, its words, and what Basic authentication encodes. */
export function secretsOfHeader(value: string): string[] {
  const words = value.split(/[\s;,="]+/).filter(({ length }) => length >= SHORTEST);
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  const pair = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
  const colon = pair.indexOf(":");
  return [value, ...words, ...(colon < 0 ? [] : [pair, pair.slice(colon + 1)])];
}

/** A shorter word would be masked in place of equal words that aren't secret. */
const SHORTEST = 8;
