import type { JsonObject } from "../../contract/json.ts";

export interface Resource extends JsonObject {
  id: string;
}

/** Resources in a fixed order, each with its id. What is put in is never changed afterwards, only replaced. */
export interface Collection {
  size(): number;
  /** At most `count` resources, from the position `start` on, which begins at 0. */
  page(start: number, count: number): Resource[];
  get(id: string): Resource | undefined;
  /** Replaces the resource with this id where it stands, or adds it at the end. */
  put(resource: Resource): void;
  /** Every resource, in its order. For small collections: what is generated is made for it. */
  all(): Resource[];
  remove(id: string): void;
  /** What was put in, and so must be kept. */
  held(): Resource[];
  /** The generated ones that were removed, by their ids. */
  removed(): string[];
}

/** Resources that follow from their position, and so are never held. */
export interface Generated {
  readonly size: number;
  at(position: number): Resource;
  /** The position of an id, from 0; nothing when it is not one of these. */
  positionOf(id: string): number | undefined;
}

const NONE: Generated = {
  size: 0,
  at: (position) => {
    throw new RangeError(`nothing at ${position}`);
  },
  positionOf: () => undefined,
};

/** A collection of generated resources, then of those put in; a generated one that was put in again is held. */
export function createCollection(
  resources: Iterable<Resource> = [],
  generated: Generated = NONE,
  removed: Iterable<string> = [],
): Collection {
  const held = new Map<string, Resource>();
  const added = new Set<string>();
  const gone = new Set<string>(removed);

  function get(id: string): Resource | undefined {
    if (gone.has(id)) return undefined;
    const position = generated.positionOf(id);
    return held.get(id) ?? (position === undefined ? undefined : generated.at(position));
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

  /** The position, among all that are generated, of the one that stands at `start` when those that are gone are left out. */
  function afterGone(start: number): number {
    const positions = [...gone].map((id) => generated.positionOf(id) ?? 0).sort((one, other) => one - other);
    return positions.reduce((at, position) => (position <= at ? at + 1 : at), start);
  }

  function page(start: number, count: number): Resource[] {
    const found: Resource[] = [];
    for (let position = afterGone(start); position < generated.size && found.length < count; position++) {
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
    all: () => page(0, size()),
    held: () => [...held.values()],
    removed: () => [...gone],
  };
}
