import { isJsonObject, type JsonObject, type JsonValue } from "../../src/contract/json.ts";
import { isNetworkKind } from "../../src/contract/network-kind.ts";
import { type ListField, type PolicyField, type PolicyFields, policyFields } from "../../src/contract/policy.ts";
import type { FleetNoun } from "../../src/fleet/desired-fleet.ts";
import type { Lists } from "./fleet.ts";

/** A fleet with another value in one member. */
interface Mutation {
  noun: FleetNoun;
  id: string;
  path: string;
  changed: Lists;
}

const TOKEN = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const EXTRA = { url: "https://c.example.org" };

/** Yields a fleet with each of its members changed in turn, to a value that certainly means something else. */
export function* mutations(fleet: Lists): Generator<Mutation> {
  for (const [noun, items] of Object.entries(fleet) as [FleetNoun, Record<string, JsonObject>][]) {
    for (const [id, fields] of Object.entries(items)) {
      for (const [path, changed] of mutated(noun, fields))
        yield { noun, id, path, changed: { ...fleet, [noun]: { ...items, [id]: changed } } };
    }
  }
}

function mutated(noun: FleetNoun, fields: JsonObject): (readonly [path: string, changed: JsonObject])[] {
  const set = (name: string, value: JsonValue) => [name, { ...fields, [name]: value }] as const;
  if (noun === "networks") return [set("rpc_urls", withEntry(fields.rpc_urls, EXTRA))];
  if (noun === "notifications") {
    const { signing_key, ...rest } = fields;
    return [
      set("url", "https://hooks.example.org/3"),
      ["signing_key", signing_key === undefined ? { ...fields, signing_key: "k".repeat(32) } : rest],
    ];
  }
  return [
    set("name", `${fields.name}x`),
    set("paused", fields.paused !== true),
    set("notification_id", fields.notification_id === "hook-1" ? "hook-2" : "hook-1"),
    set("custom_rpc_urls", withEntry(fields.custom_rpc_urls, EXTRA)),
    set("network", "other"),
    set("signer_id", "other"),
    ...mutatedPolicies(fields),
  ];
}

function mutatedPolicies(relayer: JsonObject): (readonly [path: string, changed: JsonObject])[] {
  const { network_type: kind, policies } = relayer;
  const fields: PolicyFields = isNetworkKind(kind) ? policyFields[kind] : {};
  const changed = mutatedMembers(fields, isJsonObject(policies) ? policies : {});
  return changed.map(([path, value]) => [`policies.${path}`, { ...relayer, policies: value }]);
}

function mutatedMembers(fields: PolicyFields, object: JsonObject): (readonly [path: string, changed: JsonObject])[] {
  return Object.entries(fields).flatMap(([name, field]): (readonly [string, JsonObject])[] => {
    const value = object[name];
    if (field.type === "object") {
      const inner = isJsonObject(value) ? value : {};
      return mutatedMembers(field.fields, inner).map(([path, member]) => [
        `${name}.${path}`,
        { ...object, [name]: member },
      ]);
    }
    const { [name]: _, ...unset } = object;
    const isSet = value !== undefined && !isDefault(field, value);
    return [[name, { ...object, [name]: otherValue(field, value) }], ...(isSet ? [[name, unset] as const] : [])];
  });
}

function isDefault(field: PolicyField, value: JsonValue): boolean {
  if ("default" in field && String(field.default) === String(value)) return true;
  if (field.type === "word") return value === "user";
  return field.type === "list" && Array.isArray(value) && value.length === 0;
}

function otherValue(field: PolicyField, value: JsonValue | undefined): JsonValue {
  switch (field.type) {
    case "amount":
    case "integer": {
      const amount = BigInt(String(value ?? field.default ?? 0));
      return amount === field.most ? amount - 1n : amount + 1n;
    }
    case "flag":
      return !(value ?? field.default ?? false);
    case "decimal":
      return Number(value ?? 0) + 0.7;
    case "word":
      return (field.words ?? ["0 15 * * * *", "0 0 * * * *"]).find((word) => word !== (value ?? "user")) ?? null;
    case "list":
      return otherList(field, Array.isArray(value) ? value : []);
    default:
      return value ?? null;
  }
}

function otherList({ words, entry }: ListField, value: readonly JsonValue[]): JsonValue {
  if (words) return value.length > 1 ? value.toReversed() : words.filter((word) => word !== value[0]);
  if (value.length > 0) return value.slice(1);
  return [entry ? { [entry.key]: TOKEN } : TOKEN];
}

function withEntry(list: JsonValue | undefined, entry: JsonObject): JsonValue {
  return [...(Array.isArray(list) ? list : []), entry];
}
