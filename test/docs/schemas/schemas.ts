import * as apply from "./apply.ts";
import * as errors from "./errors.ts";
import * as exportedFleet from "./exported-fleet.ts";
import * as fleet from "./fleet.ts";
import * as help from "./help.ts";
import * as local from "./local.ts";
import * as payments from "./payments.ts";
import * as resources from "./resources.ts";
import * as results from "./results.ts";
import { file, type Schema } from "./schema.ts";
import * as service from "./service.ts";
import * as webhooks from "./webhooks.ts";

const EXPORTED = {
  ...{ ...apply, ...errors, ...exportedFleet, ...fleet, ...help, ...local },
  ...{ ...payments, ...resources, ...results, ...service, ...webhooks },
};

/** Every exported schema by the name of its file: `BUILT_TRANSACTION` is `built-transaction`. */
export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries<Schema | object>(EXPORTED)
    .flatMap(([name, value]) => (isSchema(value) ? [[name.toLowerCase().replaceAll("_", "-"), value] as const] : []))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => [name, file(name.replaceAll("-", " "), schema)]),
);

function isSchema(value: object): value is Schema {
  return "description" in value && typeof value.description === "string";
}

export function schemaNamed(name: string): Schema {
  const schema = SCHEMAS[name];
  if (!schema) throw new Error(`docs/schemas/${name}.json does not exist`);
  return schema;
}
