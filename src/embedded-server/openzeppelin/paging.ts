import type { Handler } from "../handler.ts";
import { malformed } from "../refusal.ts";

const MOST = 2 ** 32 - 1;

/** Validates the page number of a list like the service: 32 bits, and no other maximum (facts 2). */
export function paged(list: Handler): Handler {
  return async (call) => {
    refuseNumber(call.query, "page");
    refuseNumber(call.query, "per_page");
    return await list(call);
  };
}

function refuseNumber(query: URLSearchParams, name: string): void {
  const [given, ...more] = query.getAll(name);
  const why =
    given === undefined ? undefined : more[0] === undefined ? numberFault(given) : `duplicate field \`${name}\``;
  if (why !== undefined) throw malformed(`Query deserialize error: ${why}`);
}

function numberFault(given: string): string | undefined {
  if (given === "") return "cannot parse integer from empty string";
  if (!/^[0-9]+$/.test(given)) return "invalid digit found in string";
  return Number(given) > MOST ? "number too large to fit in target type" : undefined;
}
