import { addressOf } from "../../chain/evm/quantity.ts";
import { Problems } from "../../contract/problems.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError } from "../../errors.ts";
import { isOnSameNetwork } from "./unshown.ts";

export interface Target {
  /** The ID of the relayer, or the label: `@treasury`. */
  name: string;
  /** In lowercase. */
  address: string;
}

export interface TypedTargets {
  /** Undefined if none was typed. */
  ids: readonly string[] | undefined;
  labels: readonly Target[];
  /** Whether a relayer that was not typed is chosen; undefined if only labels were typed. */
  isChosen: ((relayer: Relayer) => boolean) | undefined;
}

/**
 * Returns the addresses to top up, each once. A relayer that was not typed is left out if it cannot be topped up.
 * @returns notes about relayers that are left out
 * @throws RelayctlError usage for a typed one that cannot be topped up from the purse; not_found
 */
export function targetsIn(
  relayers: readonly Relayer[],
  purse: Relayer,
  { ids, labels, isChosen }: TypedTargets,
): { targets: Target[]; notes: string[] } {
  const problems = new Problems();
  const notes: string[] = [];
  const found = new Map<string, Target>();
  const add = (target: Target, where: string | undefined) => {
    const first = found.get(target.address);
    const isPurse = target.address === addressOf(purse.address);
    if (isPurse && where !== undefined) problems.add(where, `is the purse, ${purse.id}`, target.name);
    else if (first) notes.push(`note: ${target.name} has the address of ${first.name}, which is topped up once`);
    else if (!isPurse) found.set(target.address, target);
  };
  for (const relayer of chosen(relayers, purse, { ids, isChosen })) {
    const address = addressOf(relayer.address);
    const where = ids ? "<relayers>" : undefined;
    if (where !== undefined && !isOnSameNetwork(relayer, purse))
      problems.add(where, `is on ${relayer.network}, and ${purse.id} pays on ${purse.network}`, relayer.id);
    else if (address !== undefined) add({ name: relayer.id, address }, where);
    else if (where !== undefined) problems.add(where, "has no address", relayer.id);
    else notes.push(`note: ${relayer.id} has no address, and is left out`);
  }
  for (const label of labels) add(label, "<relayers>");
  problems.throwIfAny();
  return { targets: [...found.values()], notes };
}

function chosen(
  relayers: readonly Relayer[],
  purse: Relayer,
  { ids, isChosen }: Pick<TypedTargets, "ids" | "isChosen">,
): readonly Relayer[] {
  const missing = ids?.filter((id) => !relayers.some((relayer) => relayer.id === id)) ?? [];
  if (missing.length > 0) throw new RelayctlError("not_found", `relayer not found: ${missing.join(", ")}`);
  if (ids) return ids.flatMap((id) => relayers.find((relayer) => relayer.id === id) ?? []);
  return relayers.filter((relayer) => isOnSameNetwork(relayer, purse) && isChosen?.(relayer) === true);
}
