import { LOOKUP_LIFETIME } from "../../timing.ts";
import type { Clock } from "../clock.ts";
import type { LookupPrograms } from "./lookup-programs.ts";
import type { FindAddresses } from "./transport.ts";

/** The addresses of `localhost`, regardless of the resolver (RFC 6761). */
const LOCALHOST = ["127.0.0.1", "::1"];

interface Lookup {
  name: string;
  signal: AbortSignal;
  since: number;
  isFound: boolean;
  addresses: Promise<readonly string[]>;
}

/** Creates a resolver that uses programs and caches the last name. Connections with the same signal share a lookup. */
export function createFindAddresses(programs: LookupPrograms, clock: Clock): FindAddresses {
  let last: Lookup | undefined;
  const begin = (name: string, signal: AbortSignal) => {
    // Loaded only for a name: a server given by address does not need it.
    const addresses = import("./lookup-programs.ts").then(({ lookUp }) => lookUp(name, programs, signal));
    const lookup: Lookup = { name, signal, since: clock.elapsed(), isFound: false, addresses };
    last = lookup;
    addresses.then(
      () => {
        lookup.isFound = true;
      },
      () => {
        if (last === lookup) last = undefined;
      },
    );
    return addresses;
  };
  return async (name, signal) => {
    if (name === "localhost") return LOCALHOST;
    const isFresh = last?.name === name && clock.elapsed() - last.since < LOOKUP_LIFETIME;
    if (last && isFresh && (last.isFound || last.signal === signal)) return last.addresses;
    return begin(name, signal);
  };
}
