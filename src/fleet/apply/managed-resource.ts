import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { isSecretFieldPath } from "../../contract/secret-fields.ts";
import { canonicalText } from "../compare/canonical-json.ts";
import { comparedPolicyText } from "../compare/compare-policies.ts";
import {
  comparedNetworkText,
  comparedPluginMember,
  comparedSignerConfig,
  comparedSignerType,
  NETWORK_MEMBERS,
  NOTIFICATION_MEMBERS,
  PLUGIN_DEFAULTS,
  RELAYER_MEMBERS,
} from "../compare/compare-resource.ts";
import { knownPolicyLeaves, unknownPolicyLeaves } from "../compare/policy-leaves.ts";
import { canonicalRpcUrls } from "../compare/rpc-urls.ts";
import type { DesiredResource, FleetNoun } from "../desired-fleet.ts";
import { type Fingerprint, isFingerprint } from "../fingerprint.ts";
import type { PlannedResource } from "../plan.ts";

/** A resource's members by dotted path: canonical text, or its fingerprint if it may contain a secret. */
export type KeptMembers = ReadonlyMap<string, string>;

/** A resource that files describe or that a plan deletes, as of the plan's creation. */
export interface ManagedResource {
  noun: FleetNoun;
  id: string;
  before: KeptMembers | null;
  /** The paths of the file's secret values. */
  hidden: readonly string[];
}

export function managedResource(
  resource: Pick<PlannedResource, "noun" | "id"> & Partial<Pick<DesiredResource, "hidden">>,
  live: JsonObject | undefined,
  fingerprint: Fingerprint,
): ManagedResource {
  const { noun, id } = resource;
  const hidden = [...(resource.hidden ?? [])];
  return { noun, id, hidden, before: live ? managedMembers({ noun, hidden }, live, fingerprint) : null };
}

export function managedMembers(
  { noun, hidden }: Pick<ManagedResource, "noun" | "hidden">,
  resource: JsonObject,
  fingerprint: Fingerprint,
): KeptMembers {
  const members = [...canonicalMembers(noun, resource)];
  const isKept = (path: string, text: string) =>
    !mayBeSecret(noun, path, text) && !hidden.some((each) => `${each}.`.startsWith(`${path}.`));
  return new Map(members.map(([path, text]) => [path, isKept(path, text) ? text : fingerprint(text)]));
}

/** URLs of webhooks and nodes often contain a key, and so may a plugin's config. */
function mayBeSecret(noun: FleetNoun, path: string, text: string): boolean {
  return text.includes("://") || (noun === "plugins" && /^config(?:\.|$)/.test(path));
}

export function movedManagedPaths(before: KeptMembers, now: KeptMembers): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path));
}

/** Returns `policies.min_balance 1 → 5`, or `custom_rpc_urls changed` if the values may be secret. */
export function movedManagedText(path: string, before: KeptMembers, now: KeptMembers): string {
  const texts = [before.get(path) ?? UNSET, now.get(path) ?? UNSET];
  return texts.some(isFingerprint) ? `${path} changed` : `${path} ${texts.join(" → ")}`;
}

const UNSET = "unset";

/**
 * Returns the members of a resource by dotted path, each with the same text for equal values. It leaves out members
 * that act as if they were not set, and those that a service does not return. The texts may contain secrets: the RPC
 * URLs of a file, and of services that do not mask them.
 * @param resource of a file, or as the service returns it
 */
function canonicalMembers(noun: FleetNoun, resource: JsonObject): ReadonlyMap<string, string> {
  const texts = textsFor(noun, resource).filter((member): member is [string, string] => member[1] !== undefined);
  return new Map(texts);
}

type MemberText = [path: string, text: string | undefined];

function textsFor(noun: FleetNoun, resource: JsonObject): MemberText[] {
  switch (noun) {
    case "relayers":
      return relayerTexts(resource);
    case "notifications":
      return [
        ...plainMembers([...NOTIFICATION_MEMBERS, "url"], resource),
        ["has_signing_key", canonicalText(hasKey(resource) || null)],
      ];
    case "signers":
      return [
        ["type", canonicalText(comparedSignerType(resource.type))],
        ...visibleConfig(resource).map(({ path, value }): MemberText => [path, canonicalText(value)]),
      ];
    case "networks":
      return [["rpc_urls", canonicalRpcUrls(resource.rpc_urls)], ...networkTexts(resource)];
    case "plugins":
      return [...plainMembers(["path"], resource), ...pluginTexts(resource)];
  }
}

/** Returns the part of a signer's config that a service returns (facts 8.1). */
function visibleConfig(signer: JsonObject): ReturnType<typeof comparedSignerConfig> {
  if (comparedSignerType(signer.type) === "local") return [];
  return comparedSignerConfig(signer).filter(({ path }) => !isSecretFieldPath(path));
}

function relayerTexts(relayer: JsonObject): MemberText[] {
  const { network_type: kind, policies } = relayer;
  return [
    ...plainMembers(RELAYER_MEMBERS, relayer),
    ["custom_rpc_urls", canonicalRpcUrls(relayer.custom_rpc_urls)],
    ...[...knownPolicyLeaves(kind), ...unknownPolicyLeaves(kind, policies)].map((leaf): MemberText => {
      return [["policies", ...leaf.path].join("."), comparedPolicyText(leaf, policies)];
    }),
  ];
}

function networkTexts(network: JsonObject): MemberText[] {
  return NETWORK_MEMBERS.map((name) => {
    const value = network[name] ?? null;
    return [name, value === null ? undefined : comparedNetworkText(value)];
  });
}

function pluginTexts(plugin: JsonObject): MemberText[] {
  return Object.entries(PLUGIN_DEFAULTS).map(([name, byDefault]) => {
    const text = canonicalText(comparedPluginMember(name, plugin));
    return [name, text === canonicalText(byDefault) ? undefined : text];
  });
}

function hasKey({ has_signing_key, signing_key }: JsonObject): boolean {
  return has_signing_key === true || (typeof signing_key === "string" && signing_key !== "");
}

function plainMembers(names: readonly string[], resource: JsonObject): MemberText[] {
  return names.map((name) => [name, canonicalText(resource[name] as JsonValue | undefined)]);
}
