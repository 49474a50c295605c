import { isJsonObject, type JsonObject, type JsonValue } from "./values.ts";

export function valueAt(value: JsonValue | undefined, path: readonly PropertyKey[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(findMember, value);
}

function findMember(value: JsonValue | undefined, key: PropertyKey): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
}

/** Returns the dotted path of each member that contains no others. */
export function memberPaths(object: JsonObject, prefix = ""): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = prefix + name;
    return isJsonObject(value) && Object.keys(value).length > 0 ? memberPaths(value, `${path}.`) : [path];
  });
}

/** Returns whether two dotted paths lead to the same member, or one to a part of the other's. */
export function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
