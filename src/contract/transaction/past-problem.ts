import type { JsonValue } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";

/** The words of facts 5.3 and 5.8. Stellar's value is first checked by the network (facts 5.7). */
const PAST: Record<NetworkKind, string> = {
  evm: "The validUntil time cannot be in the past",
  solana: "valid_until cannot be in the past",
  stellar: "is in the past",
};

/** Returns why a `valid_until` is refused if it has passed: RFC 3339, or Unix seconds as in Stellar. */
export function pastProblem(kind: NetworkKind, validUntil: JsonValue | undefined, now: number): string | undefined {
  if (typeof validUntil !== "string") return undefined;
  const timestamp = /^[0-9]+$/.test(validUntil) ? Number(validUntil) * 1000 : Date.parse(validUntil);
  return timestamp < now ? PAST[kind] : undefined;
}
