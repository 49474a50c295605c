import { wireAmount } from "../amount.ts";
import { isJsonObject, type JsonValue } from "../json.ts";

/**
 * Judges a value that was read: gives the place of the first thing in it that is not as it should be, as a dotted path and
 * `""` for the value itself, or nothing when all is well. Reading must cost little: a schema of zod takes a third of a start
 * of Node to load, and is for what is sent.
 */
export type Shape = (value: JsonValue | undefined) => string | undefined;

/** A value for which a test holds. */
export function that(holds: (value: JsonValue | undefined) => boolean): Shape {
  return (value) => (holds(value) ? undefined : "");
}

/** Nothing is asked of it: its members are for the one who reads it. */
export const anything: Shape = that(() => true);
export const text: Shape = that((value) => typeof value === "string");
export const flag: Shape = that((value) => typeof value === "boolean");
/** A number of items or pages. */
export const count: Shape = that((value) => Number.isSafeInteger(value) && Number(value) >= 0);
/** An integer in any spelling of the service (facts 5.2). */
export const amount: Shape = that((value) => value !== undefined && wireAmount(value) !== undefined);

/** Absent, null, or of a shape. */
export function nullish(shape: Shape): Shape {
  return (value) => (value === null ? undefined : optional(shape)(value));
}

/** Absent, or of a shape. */
export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

/** @param least how many items there are at least */
export function listOf(shape: Shape, least = 0): Shape {
  return (value) => {
    if (!Array.isArray(value) || value.length < least) return "";
    for (const [index, item] of value.entries()) {
      const wrong = shape(item);
      if (wrong !== undefined) return within(String(index), wrong);
    }
    return undefined;
  };
}

/** An object with these members, whatever else is in it. */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const known = Object.entries(fields);
  return (value) => {
    if (!isJsonObject(value)) return "";
    for (const [name, shape] of known) {
      const wrong = shape(value[name]);
      if (wrong !== undefined) return within(name, wrong);
    }
    return undefined;
  };
}

/** The same, and nothing else is in it. A member that is not known is not named: it may be anything. */
export function exactly(fields: Readonly<Record<string, Shape>>): Shape {
  const shape = object(fields);
  return (value) =>
    isJsonObject(value) && Object.keys(value).some((name) => !Object.hasOwn(fields, name)) ? "" : shape(value);
}

/** An object whose members, whatever their names, all have one shape. */
export function recordOf(shape: Shape): Shape {
  return (value) => {
    if (!isJsonObject(value)) return "";
    return object(Object.fromEntries(Object.keys(value).map((name) => [name, shape])))(value);
  };
}

function within(name: string, wrong: string): string {
  return wrong === "" ? name : `${name}.${wrong}`;
}

/** An object, whatever is in it. */
export const fields: Shape = object({});

/** An object with an id, whatever else is in it. */
export const identified: Shape = object({ id: text });

/**
 * The service's response to a deletion: `Relayer deleted successfully` (facts 3.1). Another text may be about anything.
 */
export const deletion: Shape = that((value) => typeof value === "string" && /\bdeleted\b/i.test(value));
