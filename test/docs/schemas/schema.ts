import { MEANINGS } from "../../../src/cli/help/topics/codes.ts";
import { SEVERITIES } from "../../../src/doctor/codes.ts";

/** The part of JSON Schema 2020-12 that the schemas use. */
export interface Schema {
  $schema?: string;
  title?: string;
  description?: string;
  type?: Type | Type[];
  enum?: readonly unknown[];
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  /** True for data of the service, which may have further members; a schema for the values of a map. */
  additionalProperties?: true | Schema;
  items?: Schema;
}

type Type = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

export type Members = Record<string, Schema>;

export const text = (description: string): Schema => ({ description, type: "string" });
export const flag = (description: string): Schema => ({ description, type: "boolean" });
export const count = (description: string): Schema => ({ description, type: "integer" });
/** An integer of any size, written as a string so that no program rounds it. */
export const digits = (description: string): Schema => ({ description, type: "string", pattern: "^-?[0-9]+$" });
export const word = (description: string, words: readonly string[]): Schema => ({ description, enum: words });
/** The severity of a finding of `doctor` and of a queue. */
export const SEVERITY: Schema = word(
  `How bad it is: fail ${MEANINGS.fail}, warn ${MEANINGS.warn}, and note ${MEANINGS.note}.`,
  SEVERITIES,
);
export const time = (description: string): Schema => ({
  description: `${description}, in RFC 3339.`,
  type: "string",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9:]+)$",
});
export const anything = (description: string): Schema => ({ description });
export const list = (description: string, items: Schema): Schema => ({ description, type: "array", items });
export const texts = (description: string): Schema => list(description, { type: "string" });

/** Data of the service: every member but the required ones may be absent, and further members are kept. */
export const open = (description: string, properties: Members = {}, required: string[] = []): Schema => ({
  description,
  type: "object",
  properties,
  required,
  additionalProperties: true,
});

/** An object of relayctl, whose members are always present unless they are optional. */
export const closed = (description: string, members: Members, optional: Members = {}): Schema => ({
  description,
  type: "object",
  properties: { ...members, ...optional },
  required: Object.keys(members),
});

export const mapOf = (description: string, values: Schema): Schema => ({
  description,
  type: "object",
  additionalProperties: values,
});

export function orNull(schema: Schema): Schema {
  if (schema.enum) return { ...schema, enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type ?? [], "null" as const].flat() };
}

/** A change of an item while a command watches: its time, what happened, and the item. */
export function event(item: string, schema: Schema, events: readonly string[]): Schema {
  return closed(`A change of a ${item} while a command watches it, one per line.`, {
    time: time("When the change was seen"),
    event: word("What happened.", events),
    [item]: schema,
  });
}

export function file(title: string, { description = "", ...schema }: Schema): Schema {
  return { $schema: DIALECT, title, description, ...schema };
}
