import { groupDigits, pluralize } from "../contract/decimal.ts";
import { groupBy } from "../contract/group-by.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { FleetNoun } from "./desired-fleet.ts";

export interface PlannedResource {
  noun: FleetNoun;
  id: string;
  /** The place in the file, e.g. `config.json:12:5`; absent if no file describes it. */
  at?: string;
}

/** A differing member, with masked URLs and without secrets. */
export interface PlannedMember {
  /** Dotted: `paused`, `policies.swap_config.strategy`. */
  path: string;
  /** The service's value; null if unset. */
  before: JsonValue;
  /** The file's value; null if unset. */
  after: JsonValue;
  /** The service's default for an unset value. */
  default?: JsonValue;
  at?: string;
}

export interface PlannedChange extends PlannedResource {
  action: "create" | "update" | "delete";
  /** The members that change; for a new resource, all set members. Empty for a deletion. */
  members: readonly PlannedMember[];
  /** The body of the request, with references in place of secrets. */
  body: JsonObject;
  /** The request's effects beyond its members, in words. */
  effects: readonly string[];
  /** The consent that it needs by itself: none, a yes, or typing its ID. */
  consent: "none" | "yes" | "id";
  /** Set for a relayer that the service has disabled, which refuses changes until it is enabled again (facts 4.5). */
  disabled?: true;
  /** The changes that must come first, e.g. `signers/kms-1`. */
  needs: readonly string[];
}

/** A difference that no request can fix: it can't be changed, is still to be filled in, or would be refused. */
export interface ImpossibleChange extends PlannedResource {
  /** Empty for the whole resource. */
  path: string;
  before: JsonValue;
  after: JsonValue;
  /** The reason, and the fix. */
  reason: string;
}

/** A member whose value the service does not return. */
export interface NotCompared extends PlannedResource {
  path: string;
  /** E.g. `the service masks it`. */
  reason: string;
}

/** A difference that the API can't change, e.g. in a keystore signer, a plugin's code, or a network. */
export interface OutsideApi extends PlannedResource {
  path?: string;
  before?: JsonValue;
  after?: JsonValue;
  reason: string;
}

/** The differences between a service and files, and the requests that would fix them, without secrets. */
export interface Plan {
  format: 1;
  relayctl: string;
  server: string;
  /** ISO 8601 in UTC. */
  created_at: string;
  files: readonly string[];
  /** In the order of application. */
  changes: readonly PlannedChange[];
  cannot: readonly ImpossibleChange[];
  not_compared: readonly NotCompared[];
  outside: readonly OutsideApi[];
  /** The service's deletable resources that the files don't describe and the plan doesn't change. */
  unmanaged: readonly PlannedResource[];
  same: number;
}

const ONE: Readonly<Record<FleetNoun, string>> = {
  notifications: "notification",
  signers: "signer",
  networks: "network",
  plugins: "plugin",
  relayers: "relayer",
};

export function plannedNoun({ noun }: Pick<PlannedResource, "noun">): string {
  return ONE[noun];
}

export function plannedName(resource: Pick<PlannedResource, "noun" | "id">): string {
  return `${plannedNoun(resource)} ${resource.id}`;
}

/** Returns whether a service differs from the files, including by what no request can change. */
export function planHasDifferences({ changes, cannot }: Plan): boolean {
  return changes.length + cannot.length > 0;
}

/** Returns `Plan: 1 to create, 2 to change, 0 to delete; 1 cannot be changed`. */
export function planSummary(plan: Plan): string {
  const cannot = new Set(plan.cannot.map(plannedName)).size;
  const impossible = cannot === 0 ? "" : `; ${groupDigits(cannot)} cannot be changed`;
  return `Plan: ${countText(plan, "create")} to create, ${countText(plan, "update")} to change, ${countText(plan, "delete")} to delete${impossible}`;
}

function countText({ changes }: Plan, action: Plan["changes"][number]["action"]): string {
  return groupDigits(changes.filter((change) => change.action === action).length);
}

/** Returns `config.json matches the service: 12 resources (2 hidden values not compared; -v lists them)`. */
export function planSameText({ same, files, not_compared: { length: hidden } }: Plan, by?: string): string {
  const names = files.length === 1 ? (files[0] ?? "") : `${files.length} files`;
  const match = files.length === 1 ? "matches" : "match";
  const text = `${names === "-" ? "stdin" : names} ${match} the service: ${pluralize(same, "resource")}`;
  if (hidden === 0) return text;
  const list = by === undefined ? "" : `; ${by} lists them`;
  return `${text} (${pluralize(hidden, "hidden value")} not compared${list})`;
}

export function planCountTexts({ not_compared, outside, unmanaged }: Plan): string[] {
  const parts = [
    [not_compared.length, "value", "not compared: the service does not return"],
    [outside.length, "difference", "outside of the API: no request can change"],
    [unmanaged.length, "resource", "not in the files; plan leaves"],
  ] as const;
  return parts.flatMap(([count, noun, words]) =>
    count === 0 ? [] : `${pluralize(count, noun)} ${words} ${count === 1 ? "it" : "them"}`,
  );
}

export function planByResource<T extends PlannedResource>(parts: readonly T[]): [T, ...T[]][] {
  return [...groupBy(parts, plannedName).values()];
}
