import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { replacementSchemas } from "../../contract/requests.ts";
import { judgeBody } from "../../flow/body-problems.ts";
import type { Problems } from "../../flow/problems.ts";
import type { TypedReplacement } from "./replace-flags.ts";
import { replacementKind } from "./replacement-kind.ts";

/**
 * Judges a replacement: of exactly one kind, within the contract, not already expired, and not one that would be signed
 * with too little gas.
 */
export function judgeReplacement(
  problems: Problems,
  typed: TypedReplacement,
  asked: NetworkKind | undefined,
  now: number,
): void {
  const { body, named, placeOf } = typed;
  const kind = replacementKind(problems, named, asked);
  if (kind) judgeBody(problems, replacementSchemas[kind], body, placeOf);
  judgeMoment(problems, placeOf("valid_until"), body, now);
  if (body.data !== undefined && body.data !== "0x" && !named.includes("gas_limit")) {
    problems.add(
      placeOf("data"),
      "needs --gas-limit: without it the replacement is signed with 21000 gas and fails; --no-gas-limit sends null",
    );
  }
}

/** Refuses a moment that has passed. */
export function judgeMoment(problems: Problems, where: string, { valid_until }: JsonObject, now: number): void {
  if (typeof valid_until !== "string" || problems.has(where)) return;
  // RFC 3339, or unix seconds as Stellar takes them.
  const moment = /^[0-9]+$/.test(valid_until) ? Number(valid_until) * 1000 : Date.parse(valid_until);
  if (moment < now) problems.add(where, "is in the past", valid_until);
}
