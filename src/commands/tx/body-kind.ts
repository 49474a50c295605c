import { NETWORK_KINDS, type NetworkKind } from "../../contract/network-kind.ts";
import { TELLING_MEMBER } from "../../contract/replacement.ts";
import { flagOf } from "../../flow/body-problems.ts";
import type { Problems } from "../../flow/problems.ts";

/** Which members belong to one kind alone. */
const OWN_MEMBERS: Record<NetworkKind, readonly string[]> = {
  evm: ["to", "value", "data", "gas_limit", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "speed"],
  solana: ["transaction"],
  stellar: ["network", "source_account", "operations", "transaction_xdr", "memo", "fee_bump", "max_fee"],
};

const TITLES: Record<NetworkKind, string> = { evm: "an EVM", solana: "a Solana", stellar: "a Stellar" };

/**
 * The one kind that a replacement is of: the one that was asked for, else the one that its members belong to. None and
 * two of them are problems that name the members.
 */
export function replacementKind(
  problems: Problems,
  named: readonly string[],
  asked: NetworkKind | undefined,
): NetworkKind | undefined {
  const kinds = kindsOf(named);
  const kind = asked ?? (kinds.length === 1 ? kinds[0] : undefined);
  const foreign = kinds.filter((other) => other !== kind);
  if (foreign.length > 0) {
    const members = foreign.flatMap((other) => ownOf(other, named)).map(flagOf);
    problems.add([...new Set(members)].join(", "), foreignRule(kind, kinds));
    return undefined;
  }
  if (!kind) problems.add("tx replace", "needs --value (EVM), --transaction (Solana) or --network (Stellar)");
  else if (!named.includes(TELLING_MEMBER[kind])) {
    problems.add(flagOf(TELLING_MEMBER[kind]), `is required for ${TITLES[kind]} replacement`);
  }
  return kind;
}

/** The kinds that some member belongs to alone. */
export function kindsOf(named: readonly string[]): NetworkKind[] {
  return NETWORK_KINDS.filter((kind) => ownOf(kind, named).length > 0);
}

function ownOf(kind: NetworkKind, named: readonly string[]): string[] {
  return named.filter((member) => OWN_MEMBERS[kind].includes(member));
}

function foreignRule(kind: NetworkKind | undefined, kinds: readonly NetworkKind[]): string {
  return kind
    ? `cannot be part of ${TITLES[kind]} replacement`
    : `belong to different kinds of network (${kinds.join(", ")})`;
}
