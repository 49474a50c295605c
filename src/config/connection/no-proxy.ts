/**
 * Returns whether `NO_PROXY` includes the host of an origin, by curl's rules: a list of names, each matching itself and
 * all subdomains, of addresses, of IPv4 networks such as `10.0.0.0/8`, or `*`. A port may follow.
 */
export function isBypassed(list: string, origin: string): boolean {
  const url = new URL(origin);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => entry !== "" && matches(entry.toLowerCase(), url.hostname, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, name = "", ownPort] = /^(\[.*\]|[^:]*):([0-9]+)$/.exec(entry) ?? [undefined, entry];
  if (ownPort !== undefined && ownPort !== port) return false;
  return name.includes("/") ? isInNetwork(name, host) : isSameOrBelow(name, host);
}

function isSameOrBelow(entry: string, host: string): boolean {
  const name = entry.replace(/^\*?\./, "").replace(/\.$/, "");
  const literal = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  const isAddress = host.startsWith("[") || addressOf(host) !== undefined;
  return host === literal || (!isAddress && name !== "" && host.replace(/\.$/, "").endsWith(`.${name}`));
}

function isInNetwork(network: string, host: string): boolean {
  const [base = "", bits = ""] = network.split("/");
  const [from, address] = [addressOf(base), addressOf(host)];
  if (from === undefined || address === undefined || !/^(?:[12]?[0-9]|3[0-2])$/.test(bits)) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(from / size) === Math.floor(address / size);
}

/** Returns an IPv4 address as a number. */
function addressOf(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}
