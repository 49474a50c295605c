import type { FieldTable } from "../../../src/contract/resources/field.ts";
import { networkFields } from "../../../src/contract/resources/network.ts";
import { notificationFields } from "../../../src/contract/resources/notification.ts";
import { pluginFields } from "../../../src/contract/resources/plugin.ts";
import { relayerFields } from "../../../src/contract/resources/relayer.ts";
import { EXIT_CODES } from "../../../src/errors.ts";

/** The part of JSON Schema 2020-12 that the schemas use. */
export interface Schema {
  $schema?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Every field but the ID may be absent or null, and unknown fields are kept, as the service sends them. */
const HOLDS: Readonly<Record<string, Schema>> = {
  id: { type: "string" },
  text: { type: ["string", "null"] },
  flag: { type: ["boolean", "null"] },
  object: { type: ["object", "null"] },
  list: { type: ["array", "null"] },
  anything: {},
};

function resource(title: string, table: FieldTable): Schema {
  const fields = Object.entries(table).flatMap(([name, { holds }]) =>
    holds ? [[name, HOLDS[holds] ?? {}] as const] : [],
  );
  return {
    $schema: DIALECT,
    title,
    description: `A ${title} with -o json. A list is an array of them, and ndjson has one per line. Integers have any size.`,
    type: "object",
    properties: Object.fromEntries(fields),
    required: ["id"],
  };
}

const DETAIL: Schema = {
  type: "object",
  properties: { where: { type: "string" }, given: { type: "string" }, rule: { type: "string" } },
  required: ["where", "rule"],
};

const HTTP: Schema = {
  type: ["object", "null"],
  properties: { status: { type: "integer" }, method: { type: "string" }, path: { type: "string" } },
  required: ["status", "method", "path"],
};

const ERROR: Schema = {
  $schema: DIALECT,
  title: "error",
  description: "A failure with -o json or ndjson: the last line of stderr.",
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { enum: Object.keys(EXIT_CODES) },
        message: { type: "string" },
        exit_code: { enum: Object.values(EXIT_CODES) },
        applied: { enum: ["no", "yes", "unknown"] },
        retryable: { type: "boolean" },
        http: HTTP,
        hint: { type: ["string", "null"] },
        details: { type: "array", items: DETAIL },
      },
      required: ["code", "message", "exit_code", "applied", "retryable", "http", "hint", "details"],
    },
  },
  required: ["error"],
};

/** The schemas of what programs read, by the names of their files in docs/schemas. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  error: ERROR,
  network: resource("network", networkFields),
  notification: resource("notification", notificationFields),
  plugin: resource("plugin", pluginFields),
  relayer: resource("relayer", relayerFields),
};

/** Returns where a value does not match a schema, as dotted paths. */
export function violations(schema: Schema, value: unknown, at = ""): string[] {
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types && !types.some((type) => isOf(type, value))) return [at];
  if (schema.enum && !schema.enum.includes(value)) return [at];
  if (Array.isArray(value))
    return value.flatMap((item, index) => (schema.items ? violations(schema.items, item, `${at}.${index}`) : []));
  if (typeof value !== "object" || value === null) return [];
  const members = new Map(Object.entries(value));
  const missing = (schema.required ?? []).filter((name) => !members.has(name)).map((name) => `${at}.${name}`);
  const wrong = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    members.has(name) ? violations(member, members.get(name), `${at}.${name}`) : [],
  );
  return [...missing, ...wrong];
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}
