import type { JsonInteger, JsonObject, JsonValue } from "../json.ts";
import { anything, fields, flag, listShape, nullishShape, objectShape, type Shape, text } from "../reply/shape.ts";

/** The maximum weight of a relayer's RPC URL, and the weight of a URL without one (facts 4.4). */
export const MAX_RELAYER_WEIGHT = 100;

/** interface 2.3. */
export interface RpcConfig {
  url: string;
  weight?: JsonInteger;
}

/** Types of a response's optional field; only the ID is always there (promises 8). */
export interface ResponseForms {
  text: string | null;
  flag: boolean | null;
  object: JsonValue;
  list: JsonValue;
  anything: JsonValue;
}

const SHAPES: Readonly<Record<keyof ResponseForms | "id", Shape>> = {
  id: text,
  text: nullishShape(text),
  flag: nullishShape(flag),
  object: nullishShape(fields),
  list: nullishShape(listShape(anything)),
  anything,
};

/** Types of a request's field. `requests/field-schemas.ts` has their schemas. */
export interface Forms {
  text: string;
  id: string;
  "new id": string;
  word: string;
  flag: boolean;
  "rpc urls": RpcConfig[];
  policies: JsonObject;
  "any text": string;
  url: string;
  seconds: JsonInteger;
  object: JsonObject;
}

export type FlagText = readonly [flag: `--${string}`, help: string];

export interface SentField {
  form: keyof Forms;
  /** Of a `word`. */
  words?: readonly string[];
  /** The rule that a wrong value breaks, in the service's words if it has a text for the rule. */
  rule?: string;
  /** Null is accepted by schema and service; `refused` by the service; or `ignored` by it, and rejected by the schema. */
  null?: "accepted" | "refused" | "ignored";
  /** The resource whose ID the field holds. */
  refersTo?: "notification" | "signer";
  /** A form with special flags has none here. */
  flag?: FlagText;
  clear?: FlagText;
}

interface CreatedField extends SentField {
  /** Set for a required field, with a description. */
  needed?: string;
  /** Set for a required field, with its default. */
  otherwise?: boolean;
}

/** How `edit` offers a field: as a typed value, or specially. */
export interface EditedField {
  type: "word" | "name" | "state" | "notification" | "rpc_urls";
  /** In a list of fields (default: the label). */
  name?: string;
  /** The default. */
  unset?: string;
}

/** One field of a resource. Types, schemas, flags, bodies, views, and prompts follow from these entries. */
export interface Field {
  /** The type in a response; absent for a field that is never returned. */
  holds?: keyof ResponseForms | "id";
  /** The label of a single resource; absent if another field's line shows it. */
  label?: string;
  /** The column's position in a terminal's table, if any. */
  table?: number;
  /** Whether tsv and csv have a column, or the path of that column within the field. */
  flat?: true | string;
  /** The paths within the field that can be selected. */
  paths?: readonly string[];
  create?: CreatedField;
  update?: SentField & { edit?: EditedField };
  /** The position in a response of service v1.8, if it has the field. */
  v1_8?: number;
}

export type FieldTable = Readonly<Record<string, Field>>;

/** Returns the shape of a response: loose, so that unknown fields are kept and no set of values is closed (promises 8). */
export function fieldsShape(table: FieldTable): Shape {
  const held = Object.entries(table).flatMap(([name, { holds }]) => (holds ? [[name, SHAPES[holds]] as const] : []));
  return objectShape(Object.fromEntries(held));
}

export function sentFields<Use extends "create" | "update">(
  table: FieldTable,
  use: Use,
): (readonly [name: string, field: NonNullable<Field[Use]>])[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const sent = field[use];
    return sent ? [[name, sent as NonNullable<Field[Use]>] as const] : [];
  });
}

export function requestFields(table: FieldTable): string[] {
  return Object.entries(table).flatMap(([name, { create, update }]) => (create || update ? [name] : []));
}

export function fieldsOrderedBy(table: FieldTable, position: "table" | "v1_8"): string[] {
  const placed = Object.entries(table).filter(([, field]) => field[position] !== undefined);
  return placed.sort(([, one], [, other]) => Number(one[position]) - Number(other[position])).map(([name]) => name);
}

export function orderedFields<const T extends FieldTable>(table: T, first: readonly (keyof T & string)[]): T {
  const names = [...first, ...Object.keys(table)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, table[name]])) as T;
}
