import { isEvmSymbol, knownSymbol, parseAmount, typedAmount, wireAmount } from "../../contract/amount.ts";
import {
  isJsonObject,
  type JsonArray,
  type JsonInteger,
  type JsonObject,
  type JsonValue,
  jsonInteger,
  NumberLiteral,
  objectIn,
  withJsonLeaves,
} from "../../contract/json.ts";
import {
  type AmountField,
  type PolicyField,
  type PolicyFields,
  policyFieldCurrency,
  policyFieldsOf,
} from "../../contract/policy.ts";
import { type SignerField, signerFields } from "../../contract/resources/signer.ts";
import { DEFAULT_WEIGHT, isMaskedRpcUrl, maskRpcUrl, rpcUrlHasUserInfo } from "../../contract/rpc-url.ts";
import { canonicalJson } from "../compare/canonical-json.ts";
import { isReadablePolicy } from "../compare/canonical-policy.ts";
import {
  comparedPluginMember,
  NETWORK_MEMBERS,
  NOTIFICATION_MEMBERS,
  PLUGIN_DEFAULTS,
  RELAYER_MEMBERS,
} from "../compare/compare-resource.ts";
import { KEYSTORE } from "../config/signer.ts";
import type { FleetNoun } from "../desired-fleet.ts";
import { hiddenText, hiddenUrl, hiddenUrlOrigin } from "../hidden.ts";

/** How a file writes amounts: as integers, or with units where that is shorter. */
type Notation = "json" | "yaml";

/** Leaves out those that are unset, defaults, unknown, or of an unknown type, since files with it are refused. */
function exportedPolicies(policies: JsonValue | undefined, fields: PolicyFields, notation: Notation): JsonObject {
  if (!isJsonObject(policies)) return {};
  const known = Object.entries(fields).flatMap(([key, field]) => {
    const value = policies[key];
    if (value === undefined || value === null || isPolicyDefault(value, field) || !isReadablePolicy(field, value))
      return [];
    const exported = exportedPolicy(value, field, notation);
    return exported === undefined ? [] : [[key, exported] as const];
  });
  return Object.fromEntries(known);
}

function isPolicyDefault(value: JsonValue, field: PolicyField): boolean {
  if (!("default" in field) || field.default === undefined) return false;
  return value === field.default || (typeof field.default === "bigint" && wireAmount(value) === field.default);
}

function exportedPolicy(value: JsonValue, field: PolicyField, notation: Notation): JsonValue | undefined {
  switch (field.type) {
    case "amount":
      return exportedAmount(value, field, notation);
    case "integer":
      return integerIn(value) ?? value;
    case "decimal":
      return shortestText(value);
    case "list":
      return exportedList(value, field, notation);
    case "object": {
      const members = exportedPolicies(value, field.fields, notation);
      return Object.keys(members).length === 0 ? undefined : members;
    }
    case "json":
      // Files have no metadata of Stellar's tokens (facts 14).
      return undefined;
    default:
      return fileValue(value);
  }
}

function exportedList(value: JsonValue, { entry }: Extract<PolicyField, { type: "list" }>, notation: Notation) {
  if (!Array.isArray(value)) return fileValue(value);
  return value.map((item) => (entry ? exportedPolicies(item, entry.fields, notation) : fileValue(item)));
}

function exportedAmount(value: JsonValue, field: AmountField, notation: Notation): JsonValue {
  const amount = wireAmount(value);
  if (amount === undefined) return typeof value === "string" ? fileText(value) : value;
  if (notation === "json") return jsonInteger(amount);
  const currency = policyFieldCurrency(field);
  const typed = typedAmount(amount, currency);
  return typed.length < String(amount).length && parseAmount(typed, currency) === amount ? typed : jsonInteger(amount);
}

function integerIn(value: JsonValue): JsonInteger | undefined {
  const integer = wireAmount(value);
  return integer === undefined ? undefined : jsonInteger(integer);
}

/** Digits that identify any 32-bit number. */
const MOST_DIGITS = 9;

/** Returns the shortest equal number for the service, which calculates with 32 bits: 0.1 for 0.10000000149011612. */
function shortestText(value: JsonValue): JsonValue {
  const number = value instanceof NumberLiteral ? Number(value.text) : value;
  if (typeof number !== "number" || Math.fround(number) !== number) return value;
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return Number.isSafeInteger(short) ? short : new NumberLiteral(String(short));
  }
  return value;
}

/** Returns a text for a file, with `${env:NAME}` and the like escaped. */
function fileText(text: string): string {
  return text.replaceAll("${", () => "$${");
}

function fileValue(value: JsonValue): JsonValue {
  return withJsonLeaves(value, (leaf) => (typeof leaf === "string" ? fileText(leaf) : leaf));
}

/** The service returns nothing of a keystore, or of a `plain` key. */
const HIDDEN_KEYSTORE = KEYSTORE.map((field): SignerField => ({ ...field, secret: true }));

/** Returns a signer for a file, with `${hidden:role_id}` for a value that the service does not return. */
function exportedSigner({ id, type, config }: JsonObject): JsonObject {
  const kind = type === "plain" ? "local" : (type ?? null);
  const known: Readonly<Record<string, readonly SignerField[]>> = { ...signerFields, local: HIDDEN_KEYSTORE };
  const fields = typeof kind === "string" && Object.hasOwn(known, kind) ? known[kind] : undefined;
  const visible = objectIn(config);
  return {
    id: fileValue(id ?? null),
    type: fileValue(kind),
    config: fields ? withHidden(visible, fields) : fileValue(visible),
  };
}

function withHidden(config: JsonObject, fields: readonly SignerField[]): JsonObject {
  const members = fields.flatMap((field) => {
    const value = exportedMember(config[field.name], field, config);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(members);
}

function exportedMember(
  value: JsonValue | undefined,
  { name, fields, secret, optional }: SignerField,
  config: JsonObject,
): JsonValue | undefined {
  if (fields) return withHidden(objectIn(value), fields);
  if (!secret && value !== undefined && value !== null) return fileValue(value);
  const isExpected = secret === true && (!optional || usesClientSecret(config));
  return isExpected ? hiddenText(name) : undefined;
}

/** Returns whether Azure's client secret, the only optional secret, is in use. */
function usesClientSecret({ auth_type: authType }: JsonObject): boolean {
  return (authType ?? "client_secret") === "client_secret";
}

export interface ExportOptions {
  notation: Notation;
  /** Whether the RPC URLs of networks are complete, including any keys. */
  showUrls: boolean;
  symbolOf(network: string): JsonValue | undefined;
  exists(noun: FleetNoun, id: string): boolean;
}

/** Returns a resource of the service as in the service's config file (facts 14), without secrets. */
export function exportedResource(noun: FleetNoun, resource: JsonObject, options: ExportOptions): JsonObject {
  switch (noun) {
    case "notifications":
      return exportedNotification(resource);
    case "signers":
      return exportedSigner(resource);
    case "networks":
      return exportedNetwork(resource, options);
    case "plugins":
      return exportedPlugin(resource);
    case "relayers":
      return exportedRelayer(resource, options);
  }
}

type Members = Readonly<Record<string, JsonValue | undefined>>;

function setMembers(members: Members): JsonObject {
  const found = Object.entries(members).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, value] as const],
  );
  return Object.fromEntries(found);
}

function writeMembers(resource: JsonObject, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, fileValue(resource[name] ?? null)]));
}

function exportedNotification(notification: JsonObject): JsonObject {
  const { url, has_signing_key: hasKey } = notification;
  return setMembers({
    ...writeMembers(notification, ["id", ...NOTIFICATION_MEMBERS, "url"]),
    ...(typeof url === "string" && rpcUrlHasUserInfo(url) && { url: hiddenUrl(url, 1) }),
    ...(hasKey === true && { signing_key: hiddenText("key") }),
  });
}

function exportedNetwork(network: JsonObject, { showUrls }: ExportOptions): JsonObject {
  const { type, name } = writeMembers({ type: network.network_type ?? null, name: network.name ?? null }, [
    "type",
    "name",
  ]);
  const urls = exportedUrls(network.rpc_urls, showUrls);
  return setMembers({
    type,
    network: name,
    ...writeMembers(network, NETWORK_MEMBERS),
    // Files and the API refuse an empty list (facts 8.2).
    ...(urls?.length !== 0 && { rpc_urls: urls }),
  });
}

function exportedPlugin(plugin: JsonObject): JsonObject {
  const changed = Object.entries(PLUGIN_DEFAULTS).flatMap(([name, byDefault]) => {
    const value = comparedPluginMember(name, plugin);
    const isSet = value !== null && canonicalJson(value) !== canonicalJson(byDefault);
    // Files with another type in a switch or a config are refused.
    const isOdd = typeof byDefault !== "number" && (typeof value !== typeof byDefault || Array.isArray(value));
    return isSet && !isOdd ? [[name, fileValue(value)] as const] : [];
  });
  return setMembers({ ...writeMembers(plugin, ["id", "path"]), ...Object.fromEntries(changed) });
}

function writeReference(relayer: JsonObject, member: "signer_id" | "notification_id", exists: ExportOptions["exists"]) {
  const id = relayer[member] ?? null;
  if (id === null) return undefined;
  const isKnown = typeof id !== "string" || exists(member === "signer_id" ? "signers" : "notifications", id);
  return isKnown ? fileValue(id) : hiddenText(member);
}

function exportedRelayer(relayer: JsonObject, { notation, symbolOf, exists }: ExportOptions): JsonObject {
  const { network, network_type: kind, custom_rpc_urls: urls, paused } = relayer;
  const name = typeof network === "string" ? network : "";
  const symbol = symbolOf(name) ?? knownSymbol(name);
  const fields = policyFieldsOf(kind, isEvmSymbol(symbol) ? symbol : undefined);
  const policies = exportedPolicies(relayer.policies, fields, notation);
  return setMembers({
    ...writeMembers(relayer, ["id", ...RELAYER_MEMBERS]),
    paused: typeof paused === "boolean" ? paused : undefined,
    // Services v1.0 do not return it (facts 4.1), and every relayer of a file has one.
    signer_id: writeReference(relayer, "signer_id", exists) ?? hiddenText("signer_id"),
    notification_id: writeReference(relayer, "notification_id", exists),
    custom_rpc_urls: exportedUrls(urls, false),
    ...(Object.keys(policies).length > 0 && { policies }),
  });
}

/**
 * Returns a list of RPC URLs as a file contains it: a text, or `{url, weight}` if the weight is not the default. A URL
 * that is more than an origin is `${hidden:https://host#1}`, numbered among the URLs of its origin.
 * @param isShown whether complete URLs are written; a masked one is never complete
 */
function exportedUrls(urls: JsonValue | undefined, isShown: boolean): JsonArray | undefined {
  if (!Array.isArray(urls)) return undefined;
  const counts = new Map<string, number>();
  return urls.flatMap((entry) => {
    const { url, weight } = isJsonObject(entry) ? entry : ({ url: entry } as JsonObject);
    if (typeof url !== "string") return [];
    const origin = hiddenUrlOrigin(url);
    const number = (counts.get(origin) ?? 0) + 1;
    counts.set(origin, number);
    const isWritten = maskRpcUrl(url) === url ? !isMaskedRpcUrl(url) : isShown;
    const text = isWritten ? fileText(url) : hiddenUrl(url, number);
    return [
      weight === undefined || weight === null || String(weight) === String(DEFAULT_WEIGHT)
        ? text
        : { url: text, weight },
    ];
  });
}
