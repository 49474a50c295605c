/** A number that a JavaScript number would change, e.g. `1.0`, `1e21`, `-0`, or a long integer. */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Returns whether a number may differ from what was meant: it is integral and beyond 2^53, or not finite. */
export function isRoundedNumber(number: number): boolean {
  return !Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number));
}

/** An integer: a `number` up to 2^53 - 1 in size, a `bigint` above. */
export type JsonInteger = number | bigint;
export type JsonArray = JsonValue[];
export interface JsonObject {
  [key: string]: JsonValue;
}
export type JsonValue = null | boolean | string | number | bigint | NumberLiteral | JsonArray | JsonObject;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral);
}

/** Returns whether a value is an object of data only, unlike e.g. a date or a map. */
export function isPlainObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype) === null;
}

export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listIn(value: JsonValue | undefined): JsonArray {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects in a list; none for any other value. */
export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return listIn(value).filter(isJsonObject);
}

export function isJsonInteger(value: unknown): value is JsonInteger {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** Returns an integer as parsed JSON has it. */
export function jsonInteger(integer: bigint): JsonInteger {
  return integer > Number.MAX_SAFE_INTEGER || integer < Number.MIN_SAFE_INTEGER ? integer : Number(integer);
}

export class Fields {
  [key: string]: JsonValue;
}
Reflect.deleteProperty(Fields.prototype, "constructor");
Object.setPrototypeOf(Fields.prototype, null);

/** Returns an object that inherits nothing, not even `__proto__`, in less memory than `Object.create(null)`. */
export function newJsonObject(): JsonObject {
  return new Fields();
}

/** Returns whether JavaScript moves a key to the front of an object. */
export function isIntegerJsonKey(key: string): boolean {
  return key.charCodeAt(0) <= 0x39 && /^(?:0|[1-9][0-9]{0,9})$/.test(key);
}

/** The property that stores an object's key order. It is not enumerable, so copies and comparisons ignore it. */
const WIRE_ORDER = Symbol("order on the wire");

function wireOrder(object: { [WIRE_ORDER]?: readonly string[] }): readonly string[] | undefined {
  return object[WIRE_ORDER];
}

/** Stores the original key order of an object with keys such as `"7"`, which JavaScript moves to the front. */
export function rememberJsonKeyOrder(object: JsonObject, keys: readonly string[]): void {
  Object.defineProperty(object, WIRE_ORDER, { value: keys, configurable: true });
}

export function copyJsonObject(object: JsonObject): JsonObject {
  const order = wireOrder(object);
  const copy = Object.assign(newJsonObject(), object);
  if (order) rememberJsonKeyOrder(copy, order);
  return copy;
}

export function withLastJsonMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const names = keysOf(object).filter((key) => key !== name);
  const copy = Object.assign(newJsonObject(), object);
  delete copy[name];
  copy[name] = value;
  if (names.some(isIntegerJsonKey)) rememberJsonKeyOrder(copy, [...names, name]);
  return copy;
}

export function keysOf(object: JsonObject): readonly string[] {
  const keys = Object.keys(object);
  if (keys[0] === undefined || !isIntegerJsonKey(keys[0])) return keys;
  const order = wireOrder(object);
  const isCurrent = order?.length === keys.length && order.every((key) => key in object);
  return isCurrent ? order : keys;
}

/** The property with members of an odd type. Copies have it too; functions of keys don't see it. */
const SET_ASIDE = Symbol("members of an odd type");

type SettingAside = JsonObject & { [SET_ASIDE]?: JsonObject };

/** Makes a member null, except for `asReceived`. */
export function setJsonAside(object: SettingAside, name: string, value: JsonValue): void {
  object[SET_ASIDE] = Object.assign(newJsonObject(), object[SET_ASIDE], { [name]: value });
  object[name] = null;
}

/** Returns a member as received, even if it was set aside. */
export function asReceived(object: SettingAside, name: string): JsonValue | undefined {
  const value: JsonValue | undefined = object[name];
  return value === null ? (object[SET_ASIDE]?.[name] ?? null) : value;
}

export function jsonNamesSetAside(object: SettingAside): readonly string[] {
  const aside = object[SET_ASIDE];
  return aside ? Object.keys(aside).filter((name) => object[name] === null) : [];
}

/** Applies a merge patch (RFC 7396): absent keeps, null removes, objects are merged, anything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = Object.assign(newJsonObject(), target);
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isJsonObject(value) ? mergePatch(isJsonObject(old) ? old : {}, value) : value;
  }
  return merged;
}

export function withJsonLeaves(
  value: JsonValue,
  change: (leaf: JsonValue, path: string) => JsonValue,
  at: string = "",
): JsonValue {
  const prefix = at === "" ? "" : `${at}.`;
  if (Array.isArray(value)) return value.map((item, index) => withJsonLeaves(item, change, `${prefix}${index}`));
  if (!isJsonObject(value)) return change(value, at);
  const copy = copyJsonObject({});
  for (const name of keysOf(value)) copy[name] = withJsonLeaves(value[name] ?? null, change, `${prefix}${name}`);
  return copy;
}

/** Returns the values that are neither objects nor lists, each with its dotted path. @param at the path of the whole */
export function jsonLeavesIn(value: JsonValue, at = ""): { leaf: JsonValue; path: string }[] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [{ leaf: value, path: at }];
  const prefix = at === "" ? "" : `${at}.`;
  if (Array.isArray(value)) return value.flatMap((item, index) => jsonLeavesIn(item, `${prefix}${index}`));
  return keysOf(value).flatMap((name) => jsonLeavesIn(value[name] ?? null, prefix + name));
}

export function jsonValueAt(value: JsonValue | undefined, path: readonly PropertyKey[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }, value);
}

export function memberPaths(object: JsonObject, prefix = ""): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = prefix + name;
    return isJsonObject(value) && Object.keys(value).length > 0 ? memberPaths(value, `${path}.`) : [path];
  });
}

export function pathsOverlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** Copies an object with a field set by its dotted path, in parents added as needed (facts 4.5). */
export function withField(object: JsonObject, path: string, value: JsonValue): JsonObject {
  const [head = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...object, [head]: value };
  const inner = object[head];
  return { ...object, [head]: withField(isJsonObject(inner) ? inner : {}, rest.join("."), value) };
}
