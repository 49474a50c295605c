import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { type DesiredResource, desiredNetworkId } from "../desired-fleet.ts";
import type { FileItem } from "./file-item.ts";

export interface OwnNetwork {
  item: FileItem;
  fields: JsonObject;
}

/** The lists that gain the other network's entries; all others replace its list (facts 14). */
const MERGED = ["features", "tags"];
const MOST_LEVELS = 128;
/** Members that no response shows. */
const UNSEEN = ["from", "gas_price_cache"];
const NAMES: Readonly<Record<string, string>> = { id: "network", name: "network", network_type: "type" };

/** Returns networks with what they inherit by `from`. @param mayBeElsewhere whether there may be unknown networks */
export function withInheritance(
  networks: readonly OwnNetwork[],
  mayBeElsewhere: boolean,
): ReadonlyMap<FileItem, DesiredResource> {
  const byId = new Map(
    networks.map((network) => [desiredNetworkId(network.fields.network_type, network.fields.name), network]),
  );
  if (mayBeElsewhere)
    for (const { item, fields } of networks)
      if (!byId.has(desiredNetworkId(fields.network_type, fields.from))) item.hide("from");
  const done = new Map<FileItem, DesiredResource>();
  for (const network of networks) resolveNetwork(network, byId, done, []);
  return done;
}

function resolveNetwork(
  network: OwnNetwork,
  byId: ReadonlyMap<string, OwnNetwork>,
  done: Map<FileItem, DesiredResource>,
  from: readonly OwnNetwork[],
): DesiredResource | undefined {
  const before = done.get(network.item);
  if (before) return before;
  if (from.includes(network) || from.length > MOST_LEVELS) {
    const rule = from.includes(network)
      ? "the network inherits from itself"
      : `more than ${MOST_LEVELS} networks inherit from each other`;
    network.item.problem("from", rule, network.fields.from);
    return undefined;
  }
  const parent = findParent(network, byId);
  const inherited = parent && resolveNetwork(parent, byId, done, [...from, network]);
  const resource = buildResource(network, inherited);
  done.set(network.item, resource);
  return resource;
}

function findParent({ item, fields }: OwnNetwork, byId: ReadonlyMap<string, OwnNetwork>): OwnNetwork | undefined {
  const { from, network_type: type } = fields;
  if (typeof from !== "string" || item.isSettled("from") || item.isSettled("type")) return undefined;
  const parent = byId.get(desiredNetworkId(type, from));
  if (!parent) item.problem("from", `the files describe no network of this name and type ${type}`, from);
  return parent;
}

function buildResource({ item, fields: own }: OwnNetwork, parent: DesiredResource | undefined): DesiredResource {
  const id = desiredNetworkId(own.network_type, own.name);
  const fields: JsonObject = { id, ...parent?.fields, ...own };
  fields.id = id;
  for (const name of MERGED) {
    const merged = mergedList(parent?.fields[name], own[name]);
    if (merged !== undefined) fields[name] = merged;
  }
  for (const name of UNSEEN) delete fields[name];
  const isOwn = (path: string) => Object.hasOwn(own, firstName(path)) || firstName(path) === "id";
  const resource = item.resource(id, fields);
  const pathIn = (path: string) => {
    const [name = "", index = ""] = path.split(".");
    const [merged, list] = [fields[name], own[name]];
    if (!parent || !MERGED.includes(name) || !Array.isArray(merged) || !Array.isArray(list)) return path;
    return `${name}.${merged.indexOf(list[Number(index)] ?? null)}`;
  };
  const isTaken = (path: string) => !isOwn(path) || MERGED.includes(firstName(path));
  const inherited = [...(parent?.references ?? [])].filter(([path]) => isTaken(path));
  return {
    ...resource,
    references: new Map([...inherited, ...[...item.references].map(([path, text]) => [pathIn(path), text] as const)]),
    hidden: new Set([...[...(parent?.hidden ?? [])].filter(isTaken), ...[...item.hidden].map(pathIn)]),
    placeOf: (path) => (parent && !isOwn(path) ? parent.placeOf(path) : resource.placeOf(nameInFile(path))),
  };
}

function mergedList(inherited: JsonValue | undefined, own: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(inherited) || !Array.isArray(own)) return undefined;
  const known = new Set(inherited);
  return [...inherited, ...own.filter((entry) => !known.has(entry))];
}

function firstName(path: string): string {
  return path.split(".")[0] ?? "";
}

function nameInFile(path: string): string {
  const head = firstName(path);
  return (NAMES[head] ?? head) + path.slice(head.length);
}
