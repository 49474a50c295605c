import type { DesiredFleet, DesiredResource } from "../desired.ts";

/**
 * Returns a network with the RPC URLs that it inherits from another network of its type, if the files describe that one.
 * URLs of its own replace those of the other (facts 14).
 */
export function inherited(network: DesiredResource, { resources }: DesiredFleet): DesiredResource {
  const others = new Map(resources.flatMap((other) => (other.noun === "networks" ? [[other.id, other] as const] : [])));
  let source: DesiredResource | undefined = network;
  while (source && (source.fields.rpc_urls ?? null) === null) {
    const { id, fields }: DesiredResource = source;
    // Each is followed once: the files may describe a circle.
    others.delete(id);
    source = others.get(`${id.split(":")[0]}:${fields.from}`);
  }
  return source === undefined || source === network ? network : withUrlsOf(network, source);
}

function withUrlsOf(network: DesiredResource, source: DesiredResource): DesiredResource {
  const references = [...source.references].filter(([path]) => isUrlPath(path));
  return {
    ...network,
    fields: { ...network.fields, rpc_urls: source.fields.rpc_urls ?? null },
    references: new Map([...network.references, ...references]),
    placeOf: (path) => (isUrlPath(path) ? source : network).placeOf(path),
  };
}

function isUrlPath(path: string): boolean {
  return path.split(".")[0] === "rpc_urls";
}
