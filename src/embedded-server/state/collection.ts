import type { JsonObject } from "../../contract/json.ts";

export interface Resource extends JsonObject {
  id: string;
}

/** Resources in a fixed order, by ID. A stored resource never changes; it is only replaced. */
export type Collection = ReturnType<typeof createCollection>;

/** Resources that are generated from their position, and so never stored. */
export interface Generated {
  readonly size: number;
  at(position: number): Resource;
  positionOf(id: string): number | undefined;
}

const NONE: Generated = {
  size: 0,
  at: (position) => {
    throw new RangeError(`nothing at ${position}`);
  },
  positionOf: () => undefined,
};

/** Returns the position among all generated resources of the remaining one at `start`. */
function afterGone(gone: ReadonlySet<string>, generated: Generated, start: number): number {
  const positions = [...gone].map((id) => generated.positionOf(id) ?? 0).sort((one, other) => one - other);
  return positions.reduce((at, position) => (position <= at ? at + 1 : at), start);
}

/** Creates a collection of generated resources, then added ones; a resource that is put in again is stored. */
export function createCollection(
  resources: Iterable<Resource> = [],
  generated: Generated = NONE,
  removed: Iterable<string> = [],
) {
  const held = new Map<string, Resource>();
  const added = new Set<string>();
  const gone = new Set<string>(removed);

  function get(id: string): Resource | undefined {
    if (gone.has(id)) return undefined;
    const kept = held.get(id);
    if (kept) return kept;
    const position = generated.positionOf(id);
    return position === undefined ? undefined : generated.at(position);
  }

  function put(resource: Resource): void {
    const { id } = resource;
    if (!held.has(id) && generated.positionOf(id) === undefined) added.add(id);
    gone.delete(id);
    held.set(id, resource);
  }

  function remove(id: string): void {
    if (generated.positionOf(id) !== undefined) gone.add(id);
    added.delete(id);
    held.delete(id);
  }

  function page(start: number, count: number): Resource[] {
    const found: Resource[] = [];
    for (
      let position = afterGone(gone, generated, start);
      position < generated.size && found.length < count;
      position++
    ) {
      const resource = generated.at(position);
      if (!gone.has(resource.id)) found.push(held.get(resource.id) ?? resource);
    }
    const from = Math.max(start - (generated.size - gone.size), 0);
    const ids = [...added].slice(from, from + count - found.length);
    return [...found, ...ids.flatMap((id) => held.get(id) ?? [])];
  }

  for (const resource of resources) put(resource);
  const size = () => generated.size - gone.size + added.size;
  return {
    size,
    page,
    get,
    put,
    remove,
    /** Returns every resource in order. For small collections only: it generates all of them. */
    all: () => page(0, size()),
    /** Returns the resources that were put in, and so must be stored. */
    held: () => [...held.values()],
    removed: () => [...gone],
  };
}
