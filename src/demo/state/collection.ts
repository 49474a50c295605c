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
  /** What was put in, and so must be kept. */
  held(): Resource[];
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
export function createCollection(resources: Iterable<Resource> = [], generated: Generated = NONE): Collection {
  const held = new Map<string, Resource>();
  const added: string[] = [];

  function get(id: string): Resource | undefined {
    const position = generated.positionOf(id);
    return held.get(id) ?? (position === undefined ? undefined : generated.at(position));
  }

  function put(resource: Resource): void {
    const { id } = resource;
    if (!held.has(id) && generated.positionOf(id) === undefined) added.push(id);
    held.set(id, resource);
  }

  function page(start: number, count: number): Resource[] {
    const end = Math.min(start + count, generated.size);
    const found: Resource[] = [];
    for (let position = start; position < end; position++) {
      const resource = generated.at(position);
      found.push(held.get(resource.id) ?? resource);
    }
    const from = Math.max(start - generated.size, 0);
    const ids = added.slice(from, from + count - found.length);
    return [...found, ...ids.flatMap((id) => held.get(id) ?? [])];
  }

  for (const resource of resources) put(resource);
  return { size: () => generated.size + added.length, page, get, put, held: () => [...held.values()] };
}
