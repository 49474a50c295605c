import * as z from "zod/mini";
import type { BaseUnit } from "../amount.ts";
import { integer } from "../integer.ts";
import { isJsonInteger, type JsonObject, type JsonValue, NumberLiteral } from "../json.ts";

/**
 * One member of a policy: how its value is typed, shown and checked. The Solana and Stellar members come from
 * service-facts 4.3, the EVM ones from interface.md as well.
 */
export type PolicyField = (
  | { type: "amount"; unit: BaseUnit; most: bigint; least?: bigint; default?: bigint }
  | { type: "integer"; most: bigint; default?: bigint }
  | { type: "flag"; default?: boolean }
  | { type: "decimal"; most?: number }
  | { type: "word"; words?: readonly string[]; form?: { pattern: RegExp; rule: string; example?: string } }
  | ListField
  | { type: "object"; members: PolicyFields }
  | { type: "json"; value: z.ZodMiniType<JsonValue>; example: string }
) & {
  /** What holds while it is unset, where that is no default. */
  unset?: string;
};

export interface ListField {
  type: "list";
  item: z.ZodMiniType<JsonValue>;
  rule: string;
  least?: number;
  /** The only words that can be in it. */
  words?: readonly string[];
  /** What its texts are, where the service itself takes any. */
  texts?: "evm_address";
  /** A text that can be in it. */
  example?: string;
  /** What an entry is made of, where it is an object. */
  entry?: ListEntry;
  /** What holds while it is empty. */
  empty?: string;
}

/** `key` is the member that every entry has, and that tells it from the others. */
export interface ListEntry {
  key: string;
  members: PolicyFields;
}

export type PolicyFields = Readonly<Record<string, PolicyField>>;

/** The request schema of one member; null clears it (service-facts 4.5). */
export function fieldSchema(field: PolicyField): z.ZodMiniType<JsonValue> {
  return z.nullable(valueSchema(field)) as z.ZodMiniType<JsonValue>;
}

/** A strict object of optional members. */
export function fieldsSchema(fields: PolicyFields): z.ZodMiniType<JsonValue> {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, z.exactOptional(fieldSchema(field))]),
  );
  return z.strictObject(shape) as unknown as z.ZodMiniType<JsonValue>;
}

/** A list of objects of such entries. */
export function entryList(entry: ListEntry, rule: string): ListField {
  const { key, members } = entry;
  const item = (fieldsSchema(members) as z.ZodMiniType<JsonObject>).check(
    z.refine((value) => typeof value[key] === "string", { path: [key], error: `needs a ${key}` }),
  );
  return { type: "list", item, rule, entry };
}

function valueSchema(field: PolicyField): z.ZodMiniType {
  switch (field.type) {
    case "amount":
      return integer(
        field.least ?? 0n,
        field.most,
        `a whole number of ${field.unit} from ${field.least ?? 0n} to ${field.most}`,
      );
    case "integer":
      return integer(0n, field.most);
    case "flag":
      return z.boolean("true or false");
    case "decimal":
      return decimal(field.most);
    case "word":
      return word(field);
    case "list":
      return z
        .array(field.item, field.rule)
        .check(z.minLength(field.least ?? 0, `${field.rule}, ${field.least} at least`));
    case "object":
      return fieldsSchema(field.members);
    case "json":
      return field.value;
  }
}

function word({ words, form }: PolicyField & { type: "word" }): z.ZodMiniType {
  if (words) return z.enum(words, `one of ${words.join(", ")}`);
  return z.string("a text").check(form ? z.regex(form.pattern, form.rule) : z.minLength(1, "not empty"));
}

function decimal(most = Number.MAX_VALUE): z.ZodMiniType {
  const rule = most === Number.MAX_VALUE ? "a number of 0 or more" : `a number from 0 to ${most}`;
  return z.custom((value) => {
    if (!isJsonInteger(value) && typeof value !== "number" && !(value instanceof NumberLiteral)) return false;
    const number = Number(String(value));
    return Number.isFinite(number) && number >= 0 && number <= most;
  }, rule);
}

/** A member by its dotted path, as `swap_config.strategy`; nothing when there is none. */
export function fieldAt(fields: PolicyFields, path: string): PolicyField | undefined {
  const [head = "", ...rest] = path.split(".");
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined;
  if (rest.length === 0 || !field) return field;
  return field.type === "object" ? fieldAt(field.members, rest.join(".")) : undefined;
}

/** Every dotted path of a policy, objects and their members both. */
export function fieldPaths(fields: PolicyFields): string[] {
  return Object.entries(fields).flatMap(([key, field]) =>
    field.type === "object" ? [key, ...fieldPaths(field.members).map((path) => `${key}.${path}`)] : [key],
  );
}
