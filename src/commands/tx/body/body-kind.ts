import type { Problems } from "../../../command-support/problems.ts";
import { flagOf } from "../../../command-support/request-body/body-problems.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";

/** Which members belong to one kind alone. */
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

/** A kind as it stands before a noun. */
export const ONE_OF_KIND: Record<NetworkKind, string> = { evm: "an EVM", solana: "a Solana", stellar: "a Stellar" };

/** A body as messages speak of it. */
export interface BodyWords {
  /** As `tx replace`. */
  command: string;
  /** As `replacement`. */
  noun: string;
  /** What is needed where nothing tells the kind. */
  needs: string;
  /** The members without which there is no body of a kind. */
  required: Partial<Record<NetworkKind, string>>;
}

/**
 * The one kind that a body is of: the one that was asked for, else the one that its members belong to. None and two of
 * them are problems that name the members.
 */
export function bodyKind(
  problems: Problems,
  named: readonly string[],
  asked: NetworkKind | undefined,
  { command, noun, needs, required }: BodyWords,
): NetworkKind | undefined {
  const kinds = kindsOf(named);
  const kind = asked ?? (kinds.length === 1 ? kinds[0] : undefined);
  const foreign = kinds.filter((other) => other !== kind);
  if (foreign.length > 0) {
    const fields = foreign.flatMap((other) => ownOf(other, named)).map(flagOf);
    problems.add([...new Set(fields)].join(", "), foreignRule(kind, kinds, noun));
    return undefined;
  }
  if (!kind) {
    problems.add(command, needs);
    return undefined;
  }
  const field = required[kind];
  if (field && !named.includes(field))
    problems.add(flagOf(field), `missing field \`${field}\`, required for ${ONE_OF_KIND[kind]} ${noun}`);
  return kind;
}

/** The kinds that some member belongs to alone. */
export function kindsOf(named: readonly string[]): NetworkKind[] {
  return NETWORK_KINDS.filter((kind) => ownOf(kind, named).length > 0);
}

function ownOf(kind: NetworkKind, named: readonly string[]): string[] {
  return named.filter((field) => OWN_FIELDS[kind].includes(field));
}

function foreignRule(kind: NetworkKind | undefined, kinds: readonly NetworkKind[], noun: string): string {
  return kind
    ? `cannot be part of ${ONE_OF_KIND[kind]} ${noun}`
    : `belong to different kinds of network (${kinds.join(", ")})`;
}
