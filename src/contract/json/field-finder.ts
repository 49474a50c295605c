import { fieldsPattern } from "./item-pattern.ts";
import { type Described, ItemFinder, type ItemPatterns } from "./item-patterns.ts";
import { parseJson } from "./parse.ts";
import { type JsonObject, type JsonValue, keysOf, newObject } from "./values.ts";

/** The known structure of items from which some fields are read. */
export interface KnownFields extends Described {
  /** The wanted fields that are present, in order. */
  names: readonly string[];
}

/** Creates an empty set of patterns for the items of one list, to read these fields. */
export function createKnownFields(names: readonly string[]): ItemPatterns<KnownFields> {
  return { known: [], describe: (example) => describe(example, names) };
}

/** Reads some fields of items that have a learned pattern. */
export class FieldFinder extends ItemFinder<KnownFields> {
  /** Returns the fields of the item at a position; undefined if it matches no learned pattern. */
  fieldsAt(start: number): JsonObject | undefined {
    const match = this.match(start);
    if (!match || !this.described) return undefined;
    const { names } = this.described;
    const object = newObject();
    for (let index = 0; index < names.length; index++) {
      object[names[index] as string] = match[2 * index + 1] ?? otherValue(match[2 * index + 2] as string);
    }
    return object;
  }
}

function describe(example: JsonObject, names: readonly string[]): KnownFields | undefined {
  const source = fieldsPattern(example, names);
  return source === undefined ? undefined : { source, names: keysOf(example).filter((name) => names.includes(name)) };
}

function otherValue(text: string): JsonValue {
  switch (text) {
    case "true":
      return true;
    case "false":
      return false;
    case "null":
      return null;
    default:
      return parseJson(text);
  }
}
