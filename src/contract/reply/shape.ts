import { wireAmount } from "../amount.ts";
import { isJsonObject, type JsonValue, setJsonAside } from "../json.ts";

/** Returns the dotted path of a value's first error, `""` for the value itself, or undefined without errors. */
export interface Shape {
  (value: JsonValue | undefined): string | undefined;
  /** Whether a value may be missing; a value of another type then counts as missing. @internal */
  mayMiss?: true;
  /** The members of an object that may be missing. @internal */
  loose?: LooseMembers;
}

export type LooseMembers = readonly (readonly [name: string, shape: Shape])[];

/** An optional member of an odd type is set aside: shown, without a meaning. @returns the path of an invalid member */
export function checkShape(value: JsonValue, shape: Shape): string | undefined {
  setOddShapeAside(value, shape.loose ?? []);
  return shape(value);
}

/** Sets aside the members of an odd type among these. */
export function setOddShapeAside(value: JsonValue, loose: LooseMembers): void {
  if (!isJsonObject(value)) return;
  for (const [name, member] of loose) {
    const given: JsonValue | undefined = value[name];
    if (given !== undefined && member(given) !== undefined) setJsonAside(value, name, given);
  }
}

export function shapeWhere(holds: (value: JsonValue | undefined) => boolean): Shape {
  return (value) => (holds(value) ? undefined : "");
}

export const anything: Shape = shapeWhere(() => true);
export const text: Shape = shapeWhere((value) => typeof value === "string");
export const flag: Shape = shapeWhere((value) => typeof value === "boolean");
export const number: Shape = shapeWhere((value) => typeof value === "number");
export const count: Shape = shapeWhere((value) => Number.isSafeInteger(value) && Number(value) >= 0);
/** Accepts an integer in any spelling of the service (facts 5.2). */
export const amount: Shape = shapeWhere((value) => value !== undefined && wireAmount(value) !== undefined);

export function oneOfShape(...words: readonly JsonValue[]): Shape {
  return shapeWhere((value) => value !== undefined && words.includes(value));
}

export function nullishShape(shape: Shape): Shape {
  const accepted: Shape = (value) => (value === null || value === undefined ? undefined : shape(value));
  return Object.assign(accepted, { mayMiss: true as const });
}

export function optionalShape(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

export function listShape(shape: Shape, least = 0): Shape {
  return (value) => {
    if (!Array.isArray(value) || value.length < least) return "";
    for (const [index, item] of value.entries()) {
      const wrong = shape(item);
      if (wrong !== undefined) return wrongWithin(String(index), wrong);
    }
    return undefined;
  };
}

export function objectShape(fields: Readonly<Record<string, Shape>>): Shape {
  const known = Object.entries(fields);
  const accepted: Shape = (value) => {
    if (!isJsonObject(value)) return "";
    for (const [name, shape] of known) {
      const wrong = shape(value[name]);
      if (wrong !== undefined) return wrongWithin(name, wrong);
    }
    return undefined;
  };
  return Object.assign(accepted, { loose: known.filter(([, { mayMiss }]) => mayMiss) });
}

/** Accepts an object with these fields and no others. The error does not include an unknown key: it may be anything. */
export function exactShape(fields: Readonly<Record<string, Shape>>): Shape {
  const shape = objectShape(fields);
  return (value) =>
    isJsonObject(value) && Object.keys(value).some((name) => !Object.hasOwn(fields, name)) ? "" : shape(value);
}

export function recordShape(shape: Shape): Shape {
  return (value) => {
    if (!isJsonObject(value)) return "";
    return objectShape(Object.fromEntries(Object.keys(value).map((name) => [name, shape])))(value);
  };
}

function wrongWithin(name: string, wrong: string): string {
  return wrong === "" ? name : `${name}.${wrong}`;
}

export const fields: Shape = objectShape({});

export const identified: Shape = objectShape({ id: text });

/** Accepts the response to a deletion: `Relayer deleted successfully` (facts 3.1), and no other text. */
export const deletion: Shape = shapeWhere((value) => typeof value === "string" && /\bdeleted\b/i.test(value));
