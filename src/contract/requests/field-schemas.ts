import { idProblem, newIdProblem } from "../id.ts";
import { MAX_U64 } from "../largest-integers.ts";
import { type FieldTable, type SentField, sentFields } from "../resources/field.ts";
import type { Value } from "../resources/field-types.ts";
import { relayerUrlSchema } from "./rpc-url.ts";
import { integer, problemCheck } from "./schema-parts.ts";
import * as z from "./zod.ts";

const rpcConfigSchema = z.strictObject({
  url: relayerUrlSchema,
  weight: z.exactOptional(integer(0n, 100n, "RPC URL weight must be in range 0-100")),
});

const SCHEMAS: Readonly<Record<SentField["form"], (field: SentField) => z.ZodMiniType>> = {
  text: ({ rule }) => z.string().check(z.minLength(1, rule ?? "cannot be empty")),
  id: () => z.string().check(problemCheck(idProblem)),
  "new id": () => z.string().check(problemCheck(newIdProblem)),
  word: ({ words = [], rule }) => z.enum([...words], rule),
  flag: () => z.boolean("true or false"),
  "rpc urls": () => z.array(rpcConfigSchema),
  policies: () => z.looseObject({}),
  "any text": () => z.string(),
  url: ({ rule }) => z.string().check(z.refine((url) => URL.canParse(url), rule)),
  seconds: ({ rule }) => integer(1n, MAX_U64, rule),
  object: () => z.looseObject({}),
};

/** The schema of a field: required, or absent; absent or null, which the real service reads alike in a creation. */
type SchemaOf<S> = S extends { needed: string } | { otherwise: boolean }
  ? z.ZodMiniType<Value<S>>
  : S extends { null: "accepted" | "refused" }
    ? z.ZodMiniExactOptional<z.ZodMiniNullable<z.ZodMiniType<Value<S>>>>
    : z.ZodMiniExactOptional<z.ZodMiniType<Value<S>>>;

type Schemas<T, Use extends "create" | "update"> = {
  [K in keyof T as T[K] extends Record<Use, SentField> ? K : never]: T[K] extends Record<Use, infer S>
    ? SchemaOf<S>
    : never;
};

/** Returns the schema of a request that creates or updates a resource. */
export function schemaOf<const T extends FieldTable, Use extends "create" | "update">(table: T, use: Use) {
  const schemas = sentFields(table, use).map(([name, field]) => [name, fieldSchema(field)] as const);
  return z.strictObject(Object.fromEntries(schemas) as Schemas<T, Use>);
}

function fieldSchema(field: NonNullable<FieldTable[string]["create" | "update"]>): z.ZodMiniType {
  const schema = SCHEMAS[field.form](field);
  if ("needed" in field || "otherwise" in field) return schema;
  const isNullable = field.null === "accepted" || field.null === "refused";
  return z.exactOptional(isNullable ? z.nullable(schema) : schema);
}
