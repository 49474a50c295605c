import { isJsonInteger, type JsonObject } from "../json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../network-kind.ts";
import type { Problems } from "../problems.ts";
import { bodyFlag } from "../requests/body-problems.ts";
import { hexMemo } from "../spelling.ts";
import { pastProblem } from "./past-problem.ts";

const OWN_FIELDS: Record<NetworkKind, readonly string[]> = {
  evm: ["to", "value", "data", "gas_limit", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "speed"],
  solana: ["transaction", "instructions"],
  stellar: [
    "network",
    "source_account",
    "operations",
    "transaction_xdr",
    "memo",
    "fee_bump",
    "max_fee",
    "signed_auth_entry",
  ],
};

export const ONE_OF_KIND: Record<NetworkKind, string> = { evm: "an EVM", solana: "a Solana", stellar: "a Stellar" };

export interface BodyWords {
  /** E.g. `tx replace`. */
  command: string;
  /** E.g. `replacement`. */
  noun: string;
  /** The missing input if nothing determines the kind. */
  needs: string;
  required: Partial<Record<NetworkKind, string>>;
}

/** Returns the kind of a body: as requested, or as its fields have it. None or two are a problem with the fields. */
export function bodyKind(
  problems: Problems,
  named: readonly string[],
  asked: NetworkKind | undefined,
  { command, noun, needs, required }: BodyWords,
): NetworkKind | undefined {
  const kinds = kindsOfBody(named);
  const kind = asked ?? (kinds.length === 1 ? kinds[0] : undefined);
  const foreign = kinds.filter((other) => other !== kind);
  if (foreign.length > 0) {
    const fields = foreign.flatMap((other) => ownFields(other, named)).map(bodyFlag);
    problems.add([...new Set(fields)].join(", "), foreignRule(kind, kinds, noun));
    return undefined;
  }
  if (!kind) {
    problems.add(command, needs);
    return undefined;
  }
  const field = required[kind];
  if (field && !named.includes(field))
    problems.add(bodyFlag(field), `missing field \`${field}\`, required for ${ONE_OF_KIND[kind]} ${noun}`);
  return kind;
}

export function kindsOfBody(named: readonly string[]): NetworkKind[] {
  return NETWORK_KINDS.filter((kind) => ownFields(kind, named).length > 0);
}

function ownFields(kind: NetworkKind, named: readonly string[]): string[] {
  return named.filter((field) => OWN_FIELDS[kind].includes(field));
}

function foreignRule(kind: NetworkKind | undefined, kinds: readonly NetworkKind[], noun: string): string {
  return kind
    ? `cannot be part of ${ONE_OF_KIND[kind]} ${noun}`
    : `belong to different network types (${kinds.join(", ")})`;
}

/** Returns a body with `value` as digits, which any service parses, and a memo's hash in hex (facts 5.3, 5.7). */
export function serviceSpelling(body: JsonObject): JsonObject {
  const { value } = body;
  const memo = hexMemo(body.memo);
  return { ...body, ...(isJsonInteger(value) && { value: String(value) }), ...(memo && { memo }) };
}

export function validateExpiry(
  problems: Problems,
  where: string,
  { valid_until }: JsonObject,
  { kind = "stellar", now }: { kind: NetworkKind | undefined; now: number },
): void {
  if (typeof valid_until !== "string" || problems.has(where)) return;
  const past = pastProblem(kind, valid_until, now);
  if (past !== undefined) problems.add(where, past, valid_until);
}
