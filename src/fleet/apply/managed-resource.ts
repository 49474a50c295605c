import type { JsonObject } from "../../contract/json.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { canonicalMembers } from "../compare/canonical-members.ts";
import type { DesiredResource, FleetNoun } from "../desired.ts";
import { type Fingerprint, isFingerprint } from "../fingerprint.ts";
import type { PlannedResource } from "../plan.ts";

/** A resource's members by dotted path: canonical text, or its fingerprint if it may contain a secret. */
export type KeptMembers = ReadonlyMap<string, string>;

/** A resource that files describe or that a plan deletes, as it was when the plan was made. */
export interface ManagedResource {
  noun: FleetNoun;
  id: string;
  /** Null if it did not exist. */
  before: KeptMembers | null;
  /** The paths of the values of the file that may not be seen. */
  hidden: readonly string[];
}

/** Returns what is kept of a resource. @param live undefined if it does not exist */
export function managedResource(
  resource: Pick<PlannedResource, "noun" | "id"> & Partial<Pick<DesiredResource, "hidden">>,
  live: JsonObject | undefined,
  fingerprint: Fingerprint,
): ManagedResource {
  const { noun, id } = resource;
  const hidden = [...(resource.hidden ?? [])];
  return { noun, id, hidden, before: live ? keptMembers({ noun, hidden }, live, fingerprint) : null };
}

/** Returns the members of a resource of the service that files could describe. */
export function keptMembers(
  { noun, hidden }: Pick<ManagedResource, "noun" | "hidden">,
  resource: JsonObject,
  fingerprint: Fingerprint,
): KeptMembers {
  const shown = noun === "relayers" ? withMaskedRpcUrls(resource) : resource;
  const members = [...canonicalMembers(noun, shown)];
  const isKept = (path: string, text: string) =>
    !mayBeSecret(noun, path, text) && !hidden.some((each) => `${each}.`.startsWith(`${path}.`));
  return new Map(members.map(([path, text]) => [path, isKept(path, text) ? text : fingerprint(text)]));
}

/** Webhook URLs and URLs of nodes often contain a key, and so may the config of a plugin. */
function mayBeSecret(noun: FleetNoun, path: string, text: string): boolean {
  return text.includes("://") || (noun === "plugins" && /^config(?:\.|$)/.test(path));
}

export function movedPaths(before: KeptMembers, now: KeptMembers): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path));
}

/** Returns `policies.min_balance 1 → 5`, or `custom_rpc_urls changed` if the values may be secret. */
export function movedText(path: string, before: KeptMembers, now: KeptMembers): string {
  const texts = [before.get(path) ?? UNSET, now.get(path) ?? UNSET];
  return texts.some(isFingerprint) ? `${path} changed` : `${path} ${texts.join(" → ")}`;
}

const UNSET = "unset";
