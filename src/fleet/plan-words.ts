import { grouped } from "../contract/decimal.ts";
import type { FleetNoun } from "./desired.ts";
import type { Plan, PlannedResource } from "./plan.ts";

const ONE: Readonly<Record<FleetNoun, string>> = {
  notifications: "notification",
  signers: "signer",
  networks: "network",
  plugins: "plugin",
  relayers: "relayer",
};

/** Returns `relayer`. */
export function nounOf({ noun }: Pick<PlannedResource, "noun">): string {
  return ONE[noun];
}

/** Returns `relayer eth-main-1`. */
export function resourceName(resource: Pick<PlannedResource, "noun" | "id">): string {
  return `${nounOf(resource)} ${resource.id}`;
}

/** Returns whether a service differs from the files: by a change, or by what no request can change. */
export function differs({ changes, cannot }: Plan): boolean {
  return changes.length + cannot.length > 0;
}

/** Returns `Plan: 1 to create, 2 to change, 0 to delete; 1 cannot be changed`. */
export function planSummary(plan: Plan): string {
  const cannot = new Set(plan.cannot.map(resourceName)).size;
  const impossible = cannot === 0 ? "" : `; ${grouped(cannot)} cannot be changed`;
  return `Plan: ${getCount(plan, "create")} to create, ${getCount(plan, "update")} to change, ${getCount(plan, "delete")} to delete${impossible}`;
}

function getCount({ changes }: Plan, action: Plan["changes"][number]["action"]): string {
  return grouped(changes.filter((change) => change.action === action).length);
}

/** Returns `config.json matches the service: 12 resources`. */
export function sameText({ same, files }: Plan): string {
  const names = files.length === 1 ? (files[0] ?? "") : `${files.length} files`;
  const match = files.length === 1 ? "matches" : "match";
  return `${names === "-" ? "stdin" : names} ${match} the service: ${grouped(same)} ${same === 1 ? "resource" : "resources"}`;
}

export function countTexts({ not_compared, outside, unmanaged }: Plan): string[] {
  return [
    ...counted(not_compared.length, "value", "values", "not compared: the service does not return"),
    ...counted(outside.length, "difference", "differences", "outside of the API: no request can change"),
    ...counted(unmanaged.length, "resource", "resources", "not in the files; plan leaves"),
  ];
}

function counted(count: number, one: string, many: string, words: string): string[] {
  if (count === 0) return [];
  return [`${grouped(count)} ${count === 1 ? `${one} ${words} it` : `${many} ${words} them`}`];
}

export function groupedByResource<T extends PlannedResource>(parts: readonly T[]): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const part of parts) {
    const name = resourceName(part);
    const known = groups.get(name);
    if (known) known.push(part);
    else groups.set(name, [part]);
  }
  return [...groups.values()];
}
