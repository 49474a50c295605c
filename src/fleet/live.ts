import type { ListPage } from "../client/pagination/list-pages.ts";
import { lacksRoute } from "../client/read-named.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError, usageError } from "../errors.ts";
import { type DesiredFleet, FLEET_NOUNS, type FleetNoun, forEachDesiredNoun } from "./desired-fleet.ts";

export interface LiveFleet {
  /** By ID; empty for a noun that was not read. */
  resources: Record<FleetNoun, ReadonlyMap<string, JsonObject>>;
  nouns: ReadonlySet<FleetNoun>;
  /** The nouns without a route: the service is older, or another dialect. */
  unavailable: readonly FleetNoun[];
}

type Lists = { [noun in FleetNoun]: { list(): AsyncIterable<ListPage> } };

/** Reads the lists of a service, like their commands. @throws RelayctlError server if one changed meanwhile */
export async function readLiveFleet(client: Lists, nouns: Iterable<FleetNoun>): Promise<LiveFleet> {
  const wanted = new Set(nouns);
  const unavailable: FleetNoun[] = [];
  const resources = forEachDesiredNoun(() => new Map<string, JsonObject>());
  for (const noun of FLEET_NOUNS) {
    if (!wanted.has(noun)) continue;
    try {
      for await (const { items } of client[noun].list())
        for (const item of items) resources[noun].set(String(item.id), item);
    } catch (error) {
      // Every version has relayers, so without them this is a different service.
      if (noun === "relayers" || !lacksRoute(error)) throw error;
      unavailable.push(noun);
    }
  }
  return { resources, nouns: wanted, unavailable };
}

/** Reads their references, too. @throws RelayctlError usage for mistakes in the files that the service doesn't have */
export async function readLiveFor(
  client: Lists,
  desired: Pick<DesiredFleet, "nouns" | "resources" | "doubts">,
  options: { prune?: boolean } = {},
): Promise<LiveFleet> {
  try {
    return await readNeeded(client, desired, options);
  } catch (error) {
    const wrong = desired.doubts.filter(({ fix }) => fix === undefined);
    if (!(error instanceof RelayctlError) || wrong.length === 0) throw error;
    throw usageError(wrong.map(({ problem }) => problem));
  }
}

async function readNeeded(
  client: Lists,
  { nouns, resources }: Pick<DesiredFleet, "nouns" | "resources">,
  { prune = false }: { prune?: boolean },
): Promise<LiveFleet> {
  const live = await readLiveFleet(client, nouns);
  const more = new Set<FleetNoun>();
  for (const { noun, id, fields } of resources) {
    if (noun !== "relayers") continue;
    const now = live.resources.relayers.get(id);
    if (!now) more.add("signers");
    const notification = fields.notification_id ?? null;
    if (notification !== null && notification !== now?.notification_id) more.add("notifications");
  }
  // A resource that a relayer uses can't be deleted.
  if (prune && (nouns.has("signers") || nouns.has("notifications"))) more.add("relayers");
  const missing = [...more].filter((noun) => !nouns.has(noun));
  if (missing.length === 0) return live;
  const others = await readLiveFleet(client, missing);
  const read = Object.fromEntries(missing.map((noun) => [noun, others.resources[noun]]));
  return {
    resources: { ...live.resources, ...read },
    nouns: new Set([...live.nouns, ...others.nouns]),
    unavailable: [...live.unavailable, ...others.unavailable],
  };
}
