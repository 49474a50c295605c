import type { Problems } from "../../../command-support/problems.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";

/** The words of facts 5.3 and 5.8. Stellar's value is first checked by the network (facts 5.7). */
const PAST: Record<NetworkKind, string> = {
  evm: "The validUntil time cannot be in the past",
  solana: "valid_until cannot be in the past",
  stellar: "is in the past",
};

/** Refuses a `valid_until` that has passed. */
export function validateValidUntil(
  problems: Problems,
  where: string,
  { valid_until }: JsonObject,
  { kind = "stellar", now }: { kind: NetworkKind | undefined; now: number },
): void {
  if (typeof valid_until !== "string" || problems.has(where)) return;
  // RFC 3339, or Unix seconds as in Stellar.
  const timestamp = /^[0-9]+$/.test(valid_until) ? Number(valid_until) * 1000 : Date.parse(valid_until);
  if (timestamp < now) problems.add(where, PAST[kind], valid_until);
}
