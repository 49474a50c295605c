import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { replacementSchemas, TELLING_MEMBER } from "../../contract/replacement.ts";
import { flagOf, judgeBody } from "../../flow/body-problems.ts";
import type { Problems } from "../../flow/problems.ts";
import { kindsOf, OWN_MEMBERS } from "./replace-flags.ts";

/**
 * Judges a replacement: of exactly one kind, within the contract, not already expired, and not one that would be signed
 * with too little gas.
 */
export function judgeReplacement(problems: Problems, body: JsonObject, asked: NetworkKind | undefined, now: number): NetworkKind | undefined {
  const kind = oneKind(problems, body, asked);
  if (!kind) return undefined;
  judgeBody(problems, replacementSchemas[kind], body, flagOf);
  if (typeof body.valid_until === "string" && isPast(body.valid_until, now)) problems.add("--valid-until", "is in the past", body.valid_until);
  if (body.data !== undefined && body.data !== "0x" && body.gas_limit === undefined) {
    problems.add("--data", "needs --gas-limit: without it the replacement is signed with 21000 gas and fails; --no-gas-limit sends null");
  }
  return kind;
}

function oneKind(problems: Problems, body: JsonObject, asked: NetworkKind | undefined): NetworkKind | undefined {
  const kinds = kindsOf(body);
  const kind = asked ?? (kinds.length === 1 ? kinds[0] : undefined);
  const foreign = kind ? kinds.filter((other) => other !== kind) : kinds;
  if (foreign.length > 0) problems.add(foreign.flatMap((other) => membersOf(body, other)).join(", "), foreignRule(kind, kinds));
  if (!kind && kinds.length === 0) problems.add("tx replace", "needs --value (EVM), --transaction (Solana) or --network (Stellar)");
  if (!kind || foreign.length > 0) return undefined;
  const telling = TELLING_MEMBER[kind];
  if (body[telling] !== undefined || problems.has(flagOf(telling))) return kind;
  problems.add(flagOf(telling), `is required for ${kind === "evm" ? "an EVM" : `a ${kind}`} replacement`);
  return kind;
}

function foreignRule(kind: NetworkKind | undefined, kinds: readonly NetworkKind[]): string {
  return kind ? `cannot be part of a replacement of kind ${kind}` : `belong to different kinds of network (${kinds.join(", ")})`;
}

function membersOf(body: JsonObject, kind: NetworkKind): string[] {
  return OWN_MEMBERS[kind].filter((member) => member in body).map(flagOf);
}

/** RFC 3339, or unix seconds as Stellar takes them. */
function isPast(moment: string, now: number): boolean {
  return (/^[0-9]+$/.test(moment) ? Number(moment) * 1000 : Date.parse(moment)) < now;
}
