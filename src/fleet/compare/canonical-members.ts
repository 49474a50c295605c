import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { isSecretPath } from "../../contract/secret-fields.ts";
import type { FleetNoun } from "../desired.ts";
import { presentText } from "./canonical-json.ts";
import { NETWORK_MEMBERS, networkText } from "./compare-network.ts";
import { NOTIFICATION_MEMBERS } from "./compare-notification.ts";
import { PLUGIN_DEFAULTS, pluginMember } from "./compare-plugin.ts";
import { policyText } from "./compare-policies.ts";
import { RELAYER_MEMBERS } from "./compare-relayer.ts";
import { configLeaves, signerType } from "./compare-signer.ts";
import { knownPolicies, unknownPolicies } from "./policy-leaves.ts";
import { canonicalUrls } from "./rpc-urls.ts";

/**
 * Returns the members of a resource by dotted path, each with the one text of all values that mean the same. A member
 * that acts as if it were not set is left out, and so is what a service does not return. The texts may contain secrets:
 * the RPC URLs of a file, and of services that do not mask them.
 * @param resource of a file, or as the service returns it
 */
export function canonicalMembers(noun: FleetNoun, resource: JsonObject): ReadonlyMap<string, string> {
  const texts = listTexts(noun, resource).filter((member): member is [string, string] => member[1] !== undefined);
  return new Map(texts);
}

type MemberText = [path: string, text: string | undefined];

function listTexts(noun: FleetNoun, resource: JsonObject): MemberText[] {
  switch (noun) {
    case "relayers":
      return relayerTexts(resource);
    case "notifications":
      return [
        ...plain([...NOTIFICATION_MEMBERS, "url"], resource),
        ["has_signing_key", presentText(hasKey(resource) || null)],
      ];
    case "signers":
      return [
        ["type", presentText(signerType(resource.type))],
        ...visible(resource).map(({ path, value }): MemberText => [path, presentText(value)]),
      ];
    case "networks":
      return [["rpc_urls", canonicalUrls(resource.rpc_urls)], ...networkTexts(resource)];
    case "plugins":
      return [...plain(["path"], resource), ...pluginTexts(resource)];
  }
}

/** Returns what a service returns of the config of a signer (facts 8.1). */
function visible(signer: JsonObject): ReturnType<typeof configLeaves> {
  if (signerType(signer.type) === "local") return [];
  return configLeaves(signer).filter(({ path }) => !isSecretPath(path));
}

function relayerTexts(relayer: JsonObject): MemberText[] {
  const { network_type: kind, policies } = relayer;
  return [
    ...plain(RELAYER_MEMBERS, relayer),
    ["custom_rpc_urls", canonicalUrls(relayer.custom_rpc_urls)],
    ...[...knownPolicies(kind), ...unknownPolicies(kind, policies)].map((leaf): MemberText => {
      return [["policies", ...leaf.path].join("."), policyText(leaf, policies)];
    }),
  ];
}

function networkTexts(network: JsonObject): MemberText[] {
  return NETWORK_MEMBERS.map((name) => {
    const value = network[name] ?? null;
    return [name, value === null ? undefined : networkText(value)];
  });
}

function pluginTexts(plugin: JsonObject): MemberText[] {
  return Object.entries(PLUGIN_DEFAULTS).map(([name, byDefault]) => {
    const text = presentText(pluginMember(name, plugin));
    return [name, text === presentText(byDefault) ? undefined : text];
  });
}

function hasKey({ has_signing_key, signing_key }: JsonObject): boolean {
  return has_signing_key === true || (typeof signing_key === "string" && signing_key !== "");
}

function plain(names: readonly string[], resource: JsonObject): MemberText[] {
  return names.map((name) => [name, presentText(resource[name] as JsonValue | undefined)]);
}
