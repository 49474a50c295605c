import { grouped } from "../contract/decimal.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { FleetNoun } from "./desired.ts";

export interface PlannedResource {
  noun: FleetNoun;
  id: string;
  /** The place in the file, e.g. `config.json:12:5`; absent for what no file describes. */
  at?: string;
}

/** One member that differs. URLs are masked, and no value is a secret. */
export interface PlannedMember {
  /** Dotted: `paused`, `policies.swap_config.strategy`. */
  path: string;
  /** The value of the service; null if it is not set. */
  before: JsonValue;
  /** The value of the file; null if the file does not set it. */
  after: JsonValue;
  /** The service's default, which applies if a value is not set. */
  default?: JsonValue;
  at?: string;
}

export interface PlannedChange extends PlannedResource {
  action: "create" | "update" | "delete";
  /** The members that change; for a new resource, each that is set. Empty for a deletion. */
  members: readonly PlannedMember[];
  /** The body of the request, with references in place of secrets. */
  body: JsonObject;
  /** What the request does beyond its members, in words. */
  effects: readonly string[];
  /** How much consent it would need by itself: none, a yes, or typing its ID. */
  consent: "none" | "yes" | "id";
  /** Set for a relayer that the service has disabled: it refuses changes until it enables the relayer again (facts 4.5). */
  disabled?: true;
  /** The changes that must come first, e.g. `signers/kms-1`. */
  needs: readonly string[];
}

/** A difference that no request can settle: of what cannot be changed, is still to be filled in, or would be refused. */
export interface ImpossibleChange extends PlannedResource {
  /** Empty for the whole resource. */
  path: string;
  before: JsonValue;
  after: JsonValue;
  /** Why, and what to do. */
  reason: string;
}

/** A member whose value the service does not return, so that nobody knows whether it differs. */
export interface NotCompared extends PlannedResource {
  path: string;
  /** Why, e.g. `the service masks it`. */
  reason: string;
}

/** A difference that the API cannot change, e.g. of a keystore signer, the code of a plugin, or a network. */
export interface OutsideApi extends PlannedResource {
  path?: string;
  before?: JsonValue;
  after?: JsonValue;
  reason: string;
}

/** How a service differs from files, and the requests that would change it. It contains no secret. */
export interface Plan {
  format: 1;
  relayctl: string;
  /** The origin of the service. */
  server: string;
  /** ISO 8601 in UTC. */
  created_at: string;
  files: readonly string[];
  /** In the order in which they are applied. */
  changes: readonly PlannedChange[];
  cannot: readonly ImpossibleChange[];
  not_compared: readonly NotCompared[];
  outside: readonly OutsideApi[];
  /** The resources of the service that the files do not describe and the plan leaves as they are, if they could be deleted. */
  unmanaged: readonly PlannedResource[];
  /** The number of resources that are as the files describe them. */
  same: number;
}

const ONE: Readonly<Record<FleetNoun, string>> = {
  notifications: "notification",
  signers: "signer",
  networks: "network",
  plugins: "plugin",
  relayers: "relayer",
};

export function nounOf({ noun }: Pick<PlannedResource, "noun">): string {
  return ONE[noun];
}

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

/**
 * Returns `config.json matches the service: 12 resources (2 hidden values not compared; -v lists them)`.
 * @param by what lists these values, unless they are listed already
 */
export function sameText({ same, files, not_compared: { length: hidden } }: Plan, by?: string): string {
  const names = files.length === 1 ? (files[0] ?? "") : `${files.length} files`;
  const match = files.length === 1 ? "matches" : "match";
  const resources = `${grouped(same)} ${same === 1 ? "resource" : "resources"}`;
  const text = `${names === "-" ? "stdin" : names} ${match} the service: ${resources}`;
  if (hidden === 0) return text;
  const list = by === undefined ? "" : `; ${by} lists them`;
  return `${text} (${grouped(hidden)} hidden ${hidden === 1 ? "value" : "values"} not compared${list})`;
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
