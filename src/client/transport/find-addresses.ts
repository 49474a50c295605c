import type { Clock } from "../clock.ts";
import type { FindAddresses } from "../network-options.ts";
import type { LookupPrograms } from "./lookup-programs.ts";

/** RFC 6761: always this machine, whatever a resolver says. */
const LOCALHOST = ["127.0.0.1", "::1"];
/** Milliseconds during which the last name is not looked up again: a command opens several connections to one host. */
const KEPT = 5_000;

interface Lookup {
  name: string;
  signal: AbortSignal;
  since: number;
  isFound: boolean;
  addresses: Promise<readonly string[]>;
}

/** Looks names up by programs, and remembers the last name. Connections that are opened under one signal share a lookup. */
export function createFindAddresses(programs: LookupPrograms, clock: Clock): FindAddresses {
  let last: Lookup | undefined;
  const begin = (name: string, signal: AbortSignal) => {
    // Loaded for a name alone: a server that has an address needs none of it.
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
    const isFresh = last?.name === name && clock.elapsed() - last.since < KEPT;
    if (last && isFresh && (last.isFound || last.signal === signal)) return last.addresses;
    return begin(name, signal);
  };
}
