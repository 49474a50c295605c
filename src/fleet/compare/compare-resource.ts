import type { JsonValue } from "../../contract/json.ts";
import { networkFields } from "../../contract/resources/network.ts";
import { maskRpcUrl } from "../../contract/rpc-url.ts";
import type { FleetNoun } from "../desired.ts";
import { canonicalJson, canonicalSet } from "./canonical-json.ts";
import { compareNotification } from "./compare-notification.ts";
import { comparePlugin } from "./compare-plugin.ts";
import { compareRelayer } from "./compare-relayer.ts";
import { compareSigner } from "./compare-signer.ts";
import type { Comparison } from "./findings.ts";
import { compareRpcUrls } from "./rpc-urls.ts";

/** The members of a network that the service returns and can't change (facts 8.2, 14). */
export const NETWORK_MEMBERS = Object.keys(networkFields).filter(
  (name): name is NetworkMember => !["id", "name", "network_type", "rpc_urls"].includes(name),
);

export type NetworkMember = Exclude<keyof typeof networkFields, "id" | "name" | "network_type" | "rpc_urls">;

/** Compares a network of a file with the service's. Only its RPC URLs can be changed, and they cannot be unset. */
async function compareNetwork(comparison: Comparison): Promise<void> {
  const { live, findings } = comparison;
  const { fields } = comparison.desired;
  if ((fields.rpc_urls ?? null) !== null) await compareRpcUrls(comparison, "rpc_urls");
  for (const name of NETWORK_MEMBERS) {
    const [after, before] = [fields[name] ?? null, live[name] ?? null];
    // The service leaves out unset members, and the defaults depend on the network.
    if (after === null || comparedNetworkText(after) === comparedNetworkText(before)) continue;
    const reason = "the API can change only the rpc_urls of a network";
    findings.outsideApi(reason, { path: name, before: shown(before), after: shown(after) });
  }
}

/** Returns the text of a network's member. The order of its lists does not matter. */
export function comparedNetworkText(value: JsonValue): string {
  return Array.isArray(value) ? canonicalSet(value.map(canonicalJson)) : canonicalJson(value);
}

function shown(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shown);
  return typeof value === "string" && value.includes("://") ? maskRpcUrl(value) : value;
}

const COMPARE: Readonly<Record<FleetNoun, (comparison: Comparison) => Promise<void> | void>> = {
  relayers: compareRelayer,
  notifications: compareNotification,
  signers: compareSigner,
  networks: compareNetwork,
  plugins: comparePlugin,
};

export async function compareResource(comparison: Comparison): Promise<void> {
  const { desired, findings, known } = comparison;
  await COMPARE[desired.noun](comparison);
  for (const path of (await known.doubted?.(desired.noun, desired.id)) ?? []) findings.doubt(path);
}
