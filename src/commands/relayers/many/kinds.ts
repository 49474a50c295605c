import { grouped } from "../../../contract/decimal.ts";
import { NETWORK_KINDS } from "../../../contract/network-kind.ts";
import type { Target } from "./targets.ts";

/** Targets of one kind of network; the name is empty if the kind is unknown. */
export interface OfKind {
  kind: string;
  targets: readonly Target[];
}

/** The maximum number of networks listed per kind. */
const MOST_NETWORKS = 3;

export function byKind(targets: readonly Target[]): OfKind[] {
  const found = new Map<string, Target[]>(NETWORK_KINDS.map((kind) => [kind, []]));
  for (const target of targets) {
    const kind = target.before?.network_type ?? "";
    const others = found.get(kind);
    if (others) others.push(target);
    else found.set(kind, [target]);
  }
  return [...found].flatMap(([kind, ofKind]) => (ofKind.length > 0 ? [{ kind, targets: ofKind }] : []));
}

/**
 * Returns a note that the targets are of several kinds, which a shared network name may hide: `relayers of 2 kinds: 2
 * evm (mainnet), 1 stellar (mainnet)`. Undefined if they are of one kind, or their kinds are unknown.
 */
export function kindsLine(targets: readonly Target[]): string | undefined {
  const kinds = byKind(targets).filter(({ kind }) => kind !== "");
  if (kinds.length < 2) return undefined;
  const parts = kinds.map((each) => `${grouped(each.targets.length)} ${each.kind} (${networksOf(each)})`);
  return `relayers of ${kinds.length} kinds: ${parts.join(", ")}`;
}

/** Returns `evm and stellar`, for the prompt. */
export function kindNames(targets: readonly Target[]): string {
  return byKind(targets)
    .flatMap(({ kind }) => kind || [])
    .join(" and ");
}

function networksOf({ targets }: OfKind): string {
  const names = [...new Set(targets.map(({ before }) => before?.network ?? "unknown network"))];
  const more = names.length - MOST_NETWORKS;
  return names.slice(0, MOST_NETWORKS).join(", ") + (more > 0 ? `, and ${grouped(more)} more` : "");
}
