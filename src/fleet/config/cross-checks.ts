import { choiceOf } from "../../nearest.ts";
import type { DesiredResource, FleetNoun } from "../desired.ts";
import { placeText } from "../source/place.ts";
import type { FileItem } from "./file-item.ts";
import { networkId } from "./network-id.ts";

/** Each suggestion compares with all of them. */
const MOST_SUGGESTED_FROM = 100;

export type Described = readonly [item: FileItem, resource: DesiredResource];

/** Reports IDs that are used twice, and references to what the files do not describe although they have such a list. */
export function crossCheck(described: readonly Described[], nouns: ReadonlySet<FleetNoun>): void {
  const known = refuseTwice(described);
  for (const [item, { noun, fields }] of described) {
    if (noun !== "relayers") continue;
    if (nouns.has("signers")) refuseUnknown(item, "signer_id", known.signers);
    if (nouns.has("notifications")) refuseUnknown(item, "notification_id", known.notifications);
    const { network, network_type: type } = fields;
    if (!nouns.has("networks") || typeof network !== "string" || typeof type !== "string") continue;
    if (!known.networks.has(networkId(type, network)))
      item.warn("network", `network "${network}" of type ${type} is not among the networks of the files`);
  }
}

type Known = Record<FleetNoun, Map<string, DesiredResource>>;

function refuseTwice(described: readonly Described[]): Known {
  const known: Known = {
    notifications: new Map(),
    signers: new Map(),
    networks: new Map(),
    plugins: new Map(),
    relayers: new Map(),
  };
  for (const [item, resource] of described) {
    const { noun, id } = resource;
    const member = noun === "networks" ? "network" : "id";
    const value = item.value[member];
    if (typeof value !== "string") continue;
    const first = known[noun].get(id);
    if (first) item.problem(member, `already used at ${placeText(first.placeOf(member))}`, value);
    else known[noun].set(id, resource);
  }
  return known;
}

function refuseUnknown(item: FileItem, member: string, known: ReadonlyMap<string, DesiredResource>): void {
  const id = item.value[member];
  if (typeof id !== "string" || id === "" || known.has(id) || item.isSettled(member)) return;
  const noun = member === "signer_id" ? "signers" : "notifications";
  const choice = known.size > 0 && known.size <= MOST_SUGGESTED_FROM ? choiceOf([id], [...known.keys()]) : "";
  item.problem(member, `not among the ${noun} of the files${choice}`, id);
}
