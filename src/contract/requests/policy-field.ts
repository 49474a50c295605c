import { MAX_U32 } from "../amount.ts";
import { isNumber } from "../decimal.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { ListEntry, ListField, PolicyField, PolicyFields } from "../policy/field.ts";
import { intSchema, problemSchemaCheck } from "./schema-parts.ts";
import * as z from "./zod.ts";

const assetKind = z.union([
  z.literal("native"),
  z.strictObject({ classic: z.strictObject({ code: z.string(), issuer: z.string() }) }),
  z.strictObject({ contract: z.strictObject({ contract_id: z.string() }) }),
]);

const HELD: Record<(PolicyField & { type: "json" })["holds"], z.ZodMiniType> = {
  "stellar asset metadata": z.strictObject({
    kind: assetKind,
    decimals: intSchema(0n, MAX_U32),
    canonical_asset_id: z.string(),
  }),
};

/** Returns a field's request schema; null clears it (facts 4.5). */
export function policyFieldSchema(field: PolicyField): z.ZodMiniType<JsonValue> {
  return z.nullable(valueSchema(field)) as z.ZodMiniType<JsonValue>;
}

export function policyFieldsSchema(fields: PolicyFields): z.ZodMiniType<JsonValue> {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, z.exactOptional(policyFieldSchema(field))]),
  );
  return z.strictObject(shape) as unknown as z.ZodMiniType<JsonValue>;
}

function valueSchema(field: PolicyField): z.ZodMiniType {
  switch (field.type) {
    case "amount":
      return intSchema(
        field.least ?? 0n,
        field.most,
        field.refusal ?? `a whole number of ${field.unit} from ${field.least ?? 0n} to ${field.most}`,
      );
    case "integer":
      return intSchema(0n, field.most);
    case "flag":
      return z.boolean("true or false");
    case "decimal":
      return decimalSchema(field.most, field.refusal);
    case "word":
      return wordSchema(field);
    case "list":
      return z
        .array(policyItemSchema(field), field.rule)
        .check(z.minLength(field.least ?? 0, field.refusal ?? `${field.rule}, ${field.least} at least`));
    case "object":
      return policyFieldsSchema(field.fields);
    case "json":
      return HELD[field.holds];
  }
}

export function policyItemSchema({ entry, words, form }: ListField): z.ZodMiniType {
  if (entry) return entrySchema(entry);
  if (words) return z.enum(words, words.join(" or "));
  return form ? z.string().check(problemSchemaCheck(form.problem)) : z.string();
}

function entrySchema({ key, fields }: ListEntry): z.ZodMiniType {
  return (policyFieldsSchema(fields) as z.ZodMiniType<JsonObject>).check(
    z.refine((value) => typeof value[key] === "string", { path: [key], error: `needs a ${key}` }),
  );
}

function wordSchema({ words, form }: PolicyField & { type: "word" }): z.ZodMiniType {
  if (words && !form) return z.enum(words, `one of ${words.join(", ")}`);
  return z.string("a text").check(form ? problemSchemaCheck(form.problem) : z.minLength(1, "not empty"));
}

function decimalSchema(
  most = Number.MAX_VALUE,
  rule = most === Number.MAX_VALUE ? "a number of 0 or more" : `a number from 0 to ${most}`,
): z.ZodMiniType {
  return z.custom((value) => {
    if (!isNumber(value)) return false;
    const number = Number(String(value));
    return Number.isFinite(number) && number >= 0 && number <= most;
  }, rule);
}
