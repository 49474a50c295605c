import { isJsonObject, type JsonObject, type JsonValue, keysOf, listIn } from "../../../contract/json.ts";
import type { TextPart } from "../../source/text-parts.ts";

export interface Rewriting {
  source: string;
  newline: string;
  step: string;
  /** Returns a value as YAML, with a final line break. */
  yaml(value: JsonValue): Promise<string>;
  /** Returns the text of a collection with another value. Requires `canRewriteChildren`. */
  rewrite(part: TextPart, after: JsonValue): Promise<string>;
}

export interface NextChildren {
  /** By position in the collection; absent for a removed child. */
  kept: ReadonlyMap<number, JsonValue>;
  /** New children, which come last. */
  added: readonly Added[];
}

export interface Added {
  key?: string;
  value: JsonValue;
}

export function nextChildren(part: TextPart, after: JsonValue): NextChildren {
  return isJsonObject(after) ? nextMembers(part, after) : nextItems(part, after);
}

export function canRewriteChildren(part: TextPart, after: JsonValue): boolean {
  if (part.form === "scalar" || typeof after !== "object" || after === null) return false;
  if (Array.isArray(after) !== Array.isArray(part.value) || isJsonObject(after) !== isJsonObject(part.value))
    return false;
  return part.form === "flow" || Object.keys(after).length > 0;
}

function nextMembers({ children }: TextPart, after: JsonObject): NextChildren {
  const kept = children.flatMap(({ key = "" }, index) => {
    const value = Object.hasOwn(after, key) ? after[key] : undefined;
    return value === undefined ? [] : [[index, value] as const];
  });
  const names = new Set(children.map(({ key }) => key));
  const added = keysOf(after).flatMap((key) => (names.has(key) ? [] : [{ key, value: after[key] ?? null }]));
  return { kept: new Map(kept), added };
}

/** An item stays if it is equal, or a changed copy with the same ID. In another order, all are new. */
function nextItems({ children }: TextPart, after: JsonValue): NextChildren {
  const items = listIn(after);
  const left = [...items];
  const kept = new Map<number, JsonValue>();
  const take = (index: number, isIt: (value: JsonValue) => boolean) => {
    const at = kept.has(index) ? -1 : left.findIndex(isIt);
    if (at >= 0) for (const value of left.splice(at, 1)) kept.set(index, value);
  };
  children.forEach(({ part }, index) => {
    take(index, (value) => value === part.value);
  });
  children.forEach(({ part }, index) => {
    const id = findId(part.value);
    take(index, (value) => id !== undefined && findId(value) === id);
  });
  const inOrder = [...kept].sort(([one], [other]) => one - other).map(([, value]) => value);
  const isInOrder = [...inOrder, ...left].every((value, index) => value === items[index]);
  return isInOrder
    ? { kept, added: left.map((value) => ({ value })) }
    : { kept: new Map(), added: items.map((value) => ({ value })) };
}

/** The identity of an item: a resource, a network, a token, or an RPC URL. */
const IDS = ["id", "network", "mint", "asset", "url"];

function findId(value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(value)) return value;
  const name = IDS.find((id) => Object.hasOwn(value, id));
  return name === "network" ? `${value.type}:${value.network}` : name && value[name];
}
