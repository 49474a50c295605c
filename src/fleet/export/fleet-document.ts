import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { networkId } from "../../contract/resources/network.ts";
import { byText } from "../compare/canonical-json.ts";
import { FLEET_NOUNS } from "../desired-fleet.ts";
import type { LiveFleet } from "../live.ts";
import { type ExportOptions, exportedResource } from "./resource.ts";

/** Returns a fleet as the service's config file (facts 14), sorted: equal fleets have equal documents. */
export function fleetDocument(live: LiveFleet, options: Settings): JsonObject {
  const lists = FLEET_NOUNS.flatMap((noun): (readonly [string, JsonValue])[] => {
    if (!live.nouns.has(noun) || live.unavailable.includes(noun)) return [];
    const sorted = [...live.resources[noun]].sort(([one], [other]) => byText(one, other));
    const items = sorted.map(([, resource]) => exportedResource(noun, resource, documentWithFacts(options, live)));
    return [[noun, items]];
  });
  return Object.fromEntries(lists);
}

type Settings = Omit<ExportOptions, "symbolOf" | "exists">;

/** Adds what the service knows: its networks' coin symbols, and its resources. */
export function documentWithFacts(options: Settings, { resources, nouns, unavailable }: LiveFleet): ExportOptions {
  return {
    ...options,
    symbolOf: (network) => resources.networks.get(networkId("evm", network))?.symbol,
    exists: (noun, id) => !nouns.has(noun) || unavailable.includes(noun) || resources[noun].has(id),
  };
}
