import { isJsonObject, type JsonObject, type JsonValue, NumberLiteral } from "../../src/contract/json.ts";
import { isNetworkKind } from "../../src/contract/network-kind.ts";
import { type PolicyField, type PolicyFields, policyFields } from "../../src/contract/policy.ts";
import { DEFAULT_WEIGHT, maskRpcUrl } from "../../src/contract/rpc-url.ts";
import type { Lists } from "./fleet.ts";

/** How a service returns what was described to it. */
export interface Habits {
  /** Whether it masks the RPC URLs of relayers. */
  masks: boolean;
  /** Decides how it spells the next value. */
  next(): number;
}

/** Returns fleets as a service returns them: with defaults, nulls, other spellings, and lists in another order. */
export function asReturned({ relayers = {}, notifications = {}, networks = {} }: Lists, habits: Habits): Lists {
  const all = (items: Readonly<Record<string, JsonObject>>, change: (fields: JsonObject) => JsonObject) =>
    Object.fromEntries(Object.entries(items).map(([id, fields]) => [id, change(fields)]));
  return {
    relayers: all(relayers, (fields) => returnedRelayer(fields, habits)),
    notifications: all(notifications, ({ signing_key, ...rest }) => ({
      ...rest,
      has_signing_key: signing_key !== undefined && signing_key !== "",
    })),
    networks: all(networks, (fields) => ({ ...fields, rpc_urls: returnedUrls(fields.rpc_urls, false), chain_id: 1 })),
  };
}

function returnedRelayer(relayer: JsonObject, habits: Habits): JsonObject {
  const { network_type: kind, policies = {}, custom_rpc_urls: urls } = relayer;
  const fields: PolicyFields = isNetworkKind(kind) ? policyFields[kind] : {};
  return {
    ...relayer,
    ...(urls !== undefined && { custom_rpc_urls: returnedUrls(urls, habits.masks) }),
    ...(relayer.notification_id === undefined && habits.next() % 2 === 0 && { notification_id: null }),
    policies: { ...returnedMembers(fields, policies, habits), policy_of_a_later_version: habits.next() },
    address: "0x1111111111111111111111111111111111111111",
    system_disabled: false,
  };
}

function returnedUrls(urls: JsonValue | undefined, masks: boolean): JsonValue {
  if (!Array.isArray(urls)) return null;
  return urls.toReversed().map((entry) => {
    const { url = "", weight = DEFAULT_WEIGHT } = isJsonObject(entry) ? entry : {};
    return { url: masks ? maskRpcUrl(String(url)) : url, weight };
  });
}

function returnedMembers(fields: PolicyFields, object: JsonValue, habits: Habits): JsonObject {
  const given = isJsonObject(object) ? object : {};
  const named = Object.entries(fields).flatMap(([name, field]): [string, JsonValue][] => {
    const value = given[name];
    if (value !== undefined) return [[name, returnedValue(field, value, habits)]];
    const choice = habits.next() % 3;
    if (choice === 0 && "default" in field && field.default !== undefined)
      return [[name, returnedValue(field, field.default, habits)]];
    return choice === 1 ? [[name, null]] : [];
  });
  return Object.fromEntries(named);
}

function returnedValue(field: PolicyField, value: JsonValue, habits: Habits): JsonValue {
  switch (field.type) {
    case "amount":
    case "integer":
      return spelled(BigInt(String(value)), habits);
    case "decimal":
      return new NumberLiteral(String(Math.fround(Number(value))));
    case "list": {
      if (!Array.isArray(value)) return value;
      const { entry } = field;
      const items = field.words ? value : value.toReversed();
      if (!entry)
        return items.map((item) =>
          field.addresses && habits.next() % 2 ? String(item).toUpperCase().replace("0X", "0x") : item,
        );
      return items.map((item) => ({
        ...Object.fromEntries((entry.filledIn ?? []).map((name) => [name, name === "decimals" ? 6 : { symbol: "X" }])),
        ...withoutNulls(returnedMembers(entry.fields, item, habits), entry.filledIn ?? []),
        [entry.key]:
          isJsonObject(item) && item[entry.key] === "native" && habits.next() % 2
            ? "XLM"
            : ((item as JsonObject)[entry.key] ?? null),
      }));
    }
    case "object":
      return returnedMembers(field.fields, value, habits);
    default:
      return value;
  }
}

/** What the service fills in is there, whatever the file says. */
function withoutNulls(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || !names.includes(name)));
}

function spelled(amount: bigint, habits: Habits): JsonValue {
  const choices = [String(amount), `0x${amount.toString(16)}`, amount, new NumberLiteral(`${amount}.0`)];
  return choices[habits.next() % choices.length] ?? amount;
}
