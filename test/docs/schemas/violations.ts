import type { Schema } from "./schema.ts";

/**
 * Returns where a value does not match a schema, as dotted paths.
 * @param isStrict whether a member that the schema does not have is a violation, even in data of the service
 */
export function violations(schema: Schema, value: unknown, { at = "", isStrict = false } = {}): string[] {
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types && !types.some((type) => isOf(type, value))) return [at];
  if (schema.enum && !schema.enum.includes(value)) return [at];
  if (schema.pattern !== undefined && typeof value === "string" && !new RegExp(schema.pattern, "u").test(value))
    return [at];
  const within = (member: Schema, of: unknown, name: string | number) =>
    violations(member, of, { at: `${at}.${name}`, isStrict });
  if (Array.isArray(value))
    return value.flatMap((item, index) => (schema.items ? within(schema.items, item, index) : []));
  if (typeof value !== "object" || value === null || !(schema.properties || schema.additionalProperties)) return [];
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const members = new Map(Object.entries(value));
  const missing = required.filter((name) => !members.has(name)).map((name) => `${at}.${name}`);
  const wrong = [...members].flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) return within(known, member, name);
    if (typeof others === "object") return within(others, member, name);
    const isKept = others === true && (!isStrict || Object.keys(properties).length === 0);
    return isKept ? [] : [`${at}.${name}`];
  });
  return [...missing, ...wrong];
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/** Returns the members that a schema has and none of the values, as dotted paths. */
export function unseen(schema: Schema, values: readonly unknown[], at = ""): string[] {
  const items = values.flatMap((value) => (Array.isArray(value) ? value : []));
  const within = schema.items && items.length > 0 ? unseen(schema.items, items, at) : [];
  const objects = values.filter(
    (value): value is Record<string, unknown> => isOf("object", value) && Object.keys(value as object).length > 0,
  );
  if (objects.length === 0) return within;
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const found = objects.filter((value) => Object.hasOwn(value, name)).map((value) => value[name]);
    return found.length === 0 ? [`${at}.${name}`] : unseen(member, found, `${at}.${name}`);
  });
  return [...within, ...members];
}
