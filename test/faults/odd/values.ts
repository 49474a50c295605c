import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "../../../src/contract/json.ts";

/** What a service, a proxy, or a node may send in the place of anything. */
export const ODD_VALUES: readonly string[] = [
  '{"odd":{"a":1}}',
  "{}",
  '["odd",{"a":1},null]',
  "[]",
  "true",
  "null",
  "0",
  "-1",
  "0.5",
  "1e400",
  "123456789012345678901234567890123456789012345678901234567890",
  '""',
  '"odd"',
  '"constructor"',
  '"-271821-04-20T00:00:00Z"',
  '"+275760-09-13T00:00:00.001Z"',
  '"0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"',
];

export type MemberPath = readonly string[];

/** How many items of a list differ from one another; what follows is like them. */
const ITEMS = 2;

/** Returns the path of every member of a response, at any depth. */
export function membersOf(value: JsonValue, path: MemberPath = []): MemberPath[] {
  const inner = Array.isArray(value)
    ? value.slice(0, ITEMS).map((item, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([name, member]) => [[...path, name], ...membersOf(member, [...path, name])]);
}

export function replaced(value: JsonValue, [name, ...rest]: MemberPath, odd: JsonValue): JsonValue {
  if (name === undefined) return odd;
  if (Array.isArray(value)) {
    const copy: JsonArray = [...value];
    const at = Number(name);
    if (at in copy) copy[at] = replaced(copy[at] as JsonValue, rest, odd);
    return copy;
  }
  if (!isJsonObject(value) || !(name in value)) return value;
  const copy: JsonObject = { ...value };
  copy[name] = replaced(value[name] as JsonValue, rest, odd);
  return copy;
}

export function oddValue(json: string): JsonValue {
  return parseJson(json);
}
