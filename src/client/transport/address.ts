import type { LookupFunction } from "node:net";
import type { FindAddresses } from "./transport.ts";

export type Address = ReturnType<typeof addressOf>;

export function addressOf(url: string) {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return {
    /** A name or an address, IPv6 without brackets. */
    host,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    /** Certificates are only requested for names. */
    isName: !host.includes(":") && !/^[0-9.]+$/.test(host),
  };
}

/** Returns a lookup in Node's form: for all addresses, or for the first one if Node may try no others. */
export function addressLookup(findAddresses: FindAddresses, signal: AbortSignal): LookupFunction {
  return (name, { all }, done) => {
    findAddresses(name, signal).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first = { address: "", family: 0 }] = addresses;
        if (all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ""),
    );
  };
}
