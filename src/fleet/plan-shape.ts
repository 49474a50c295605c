import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { FLEET_NOUNS } from "./desired.ts";
import type { Plan } from "./plan.ts";

type Fits = (value: JsonValue | undefined) => boolean;

const text: Fits = (value) => typeof value === "string";
const object: Fits = isJsonObject;
const any: Fits = (value) => value !== undefined;
const optional =
  (fits: Fits): Fits =>
  (value) =>
    value === undefined || fits(value);
const oneOf =
  (...words: readonly JsonValue[]): Fits =>
  (value) =>
    value !== undefined && words.includes(value);
const list =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const shape =
  (members: Readonly<Record<string, Fits>>): Fits =>
  (value) =>
    isJsonObject(value) && Object.entries(members).every(([name, fits]) => fits(value[name]));

const resource = { noun: oneOf(...FLEET_NOUNS), id: text, at: optional(text) };
const member = shape({ path: text, before: any, after: any });
const change = shape({
  ...resource,
  action: oneOf("create", "update", "delete"),
  members: list(member),
  body: object,
  effects: list(text),
  consent: oneOf("none", "yes", "id"),
  disabled: optional(oneOf(true)),
  needs: list(text),
});
const plan = shape({
  format: oneOf(1),
  relayctl: text,
  server: text,
  created_at: text,
  files: list(text),
  changes: list(change),
  cannot: list(shape({ ...resource, path: text, before: any, after: any, reason: text })),
  not_compared: list(shape({ ...resource, path: text, reason: text })),
  outside: list(shape({ ...resource, reason: text })),
  unmanaged: list(shape(resource)),
  same: (value) => Number.isSafeInteger(value),
});

/** Returns whether a value has the members of a plan, with values of their types. */
export function isPlan(value: JsonObject): value is JsonObject & Plan {
  return plan(value);
}
