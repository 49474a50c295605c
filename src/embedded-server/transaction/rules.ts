import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { transactionSchemas } from "../../contract/requests.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";

/**
 * Validates a transaction by its relayer's policy and by itself; the first rule that it breaks is reported in the words
 * of facts 5.3, 5.7 and 5.8.
 * @throws Refusal
 */
export function refuseByRules(kind: NetworkKind, body: JsonObject, relayer: Resource, now: number): void {
  const [first] = [
    ...relayerRules[kind](body, relayer).map(({ rule }) => rule),
    ...(transactionSchemas[kind].safeParse(body).error?.issues.map(({ message }) => message) ?? []),
    ...validUntilRule(body, now),
  ];
  if (first !== undefined) throw new Refusal(400, first);
}

/** The network validates Stellar's (facts 5.7). */
function validUntilRule({ valid_until: until, network }: JsonObject, now: number): string[] {
  if (typeof until !== "string" || network !== undefined) return [];
  return Date.parse(until) < now ? ["The validUntil time cannot be in the past"] : [];
}
