import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { FLEET_NOUNS, type FleetNoun } from "../desired.ts";
import { type ExportOptions, exportedResource } from "./resource.ts";

/** The resources of a service, by noun and ID; a noun is absent if the service does not list it. */
export type LiveResources = Partial<Readonly<Record<FleetNoun, ReadonlyMap<string, JsonObject>>>>;

/**
 * Returns a fleet in the form of the service's config file (facts 14): one list for each noun that the service lists, sorted by
 * ID. The same fleet gives the same document.
 */
export function fleetDocument(live: LiveResources, options: Omit<ExportOptions, "symbolOf">): JsonObject {
  const symbolOf = (network: string) => live.networks?.get(`evm:${network.toLowerCase()}`)?.symbol;
  const lists = FLEET_NOUNS.flatMap((noun): (readonly [string, JsonValue])[] => {
    const resources = live[noun];
    if (!resources) return [];
    const sorted = [...resources].sort(([one], [other]) => (one < other ? -1 : 1));
    return [[noun, sorted.map(([, resource]) => exportedResource(noun, resource, { ...options, symbolOf }))]];
  });
  return Object.fromEntries(lists);
}
