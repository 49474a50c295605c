import { AmountError, coinProblem, MAX_U64, readAmount } from "../../contract/amount.ts";
import {
  copyJsonObject,
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonInteger,
  writeJson,
} from "../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import {
  type AmountField,
  type PolicyField,
  type PolicyFields,
  policyFieldAt,
  policyFieldCurrency,
  policyFieldsOf,
  policyGaps,
  policyNetworkRule,
} from "../../contract/policy.ts";
import { createRelayerSchema, replaceRequestAddresses, typedPolicySchemas } from "../../contract/requests.ts";
import { requestFields, sentFields } from "../../contract/resources/field.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { isMaskedRpcUrl, maskRpcUrl } from "../../contract/rpc-url.ts";
import { hiddenIn, hiddenText, hiddenUrl, hiddenUrlOrigin, unsetHiddenIn } from "../hidden.ts";
import type { ResolveLabel } from "../sources.ts";
import { type FileItem, NOT_NULL, referToSecret } from "./file-item.ts";

const HIDDEN_URL = /^[^/?#]+(?::\/\/[^/?#]+)?#[1-9][0-9]*$/i;

/** Returns a list of RPC URLs as `{url, weight}`. A bare URL has the default weight (facts 14). */
export function relayerFileUrls(item: FileItem, name: string, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) {
    item.problem(name, "must be a list of URLs", value);
    return value;
  }
  const masked = new Map<string, number>();
  return value.map((entry, index): JsonValue => {
    const path = `${name}.${index}`;
    if (typeof entry !== "string" && !isJsonObject(entry)) {
      item.problem(path, "must be a URL, or an object with url and weight; the service would ignore it silently");
      return entry;
    }
    const isBare = typeof entry === "string";
    const url = isBare ? entry : entry.url;
    if (typeof url === "string")
      validateText(item, { url, path: `${path}.url`, from: isBare ? path : `${path}.url` }, masked);
    return isBare ? { url: entry } : withoutNullWeight(entry);
  });
}

function withoutNullWeight({ weight, ...entry }: JsonObject): JsonObject {
  return weight === null || weight === undefined ? entry : { ...entry, weight };
}

function validateText(
  item: FileItem,
  { url, path, from }: { url: string; path: string; from: string },
  masked: Map<string, number>,
): void {
  const hidden = hiddenIn(url);
  if (hidden !== undefined) {
    item.hide(path, from);
    if (!HIDDEN_URL.test(hidden) && !unsetHiddenIn(url))
      item.problem(from, `a hidden URL is written with its origin and number: ${hiddenText("https://host#1")}`);
  } else if (isMaskedRpcUrl(url)) {
    const number = (masked.get(hiddenUrlOrigin(url)) ?? 0) + 1;
    masked.set(hiddenUrlOrigin(url), number);
    item.problem(
      from,
      `is masked by the service; write the URL itself, or ${hiddenUrl(url, number)} to leave it as it is`,
    );
    item.hide(path);
  } else if (maskRpcUrl(url) !== url || item.isFromElsewhere(from)) referToSecret(item, path, from, url);
}

const SENT = sentFields(relayerFields, "create");
const KNOWN = requestFields(relayerFields);
const NEEDED = SENT.flatMap(([name, field]) => (field.needed === undefined ? [] : [[name, field.needed] as const]));
/** The service requires these members in a relayer's file (facts 14). */
const REQUIRED = { id: "its ID", ...Object.fromEntries(NEEDED), paused: "true or false" };

/** A saved plan has references instead of secret values, and reads no labels. */
const HIDDEN_LABEL = { rule: "a label is read only from a value that may be seen (--allow-env)" };

export type NetworkSymbol = (kind: NetworkKind, network: string) => string | undefined;

/** The meaning of names in a relayer's policies; labels only if any file may have one. */
export interface KnownNames {
  symbolOf: NetworkSymbol;
  addressOf: ResolveLabel | undefined;
}

/** Returns a relayer as in a request (facts 14). */
export function readRelayerItem(item: FileItem, names: KnownNames): JsonObject {
  const fields = item.members({ known: KNOWN, required: REQUIRED });
  const { network_type: kind, custom_rpc_urls: urls } = fields;
  if (item.value.policies === null) item.refuseStart("policies", NOT_NULL);
  // Service v1.0 does not return the signer (facts 4.1), and a missing resource can't be referred to.
  for (const name of ["signer_id", "notification_id"]) if (hiddenIn(fields[name]) !== undefined) item.hide(name);
  if (urls !== undefined) fields.custom_rpc_urls = relayerFileUrls(item, "custom_rpc_urls", urls);
  if (isNetworkKind(kind)) {
    const read = readPolicies(item, kind, fields, names);
    if (read !== undefined) fields.policies = withoutNulls(read);
  }
  item.validate(createRelayerSchema, fields, "", (path) =>
    path.startsWith("custom_rpc_urls") ? ["url", "weight"] : [],
  );
  return fields;
}

function readPolicies(
  item: FileItem,
  kind: NetworkKind,
  { network, policies }: JsonObject,
  { symbolOf, addressOf }: KnownNames,
): JsonValue | undefined {
  const symbol = typeof network === "string" ? symbolOf(kind, network) : undefined;
  const known = policyFieldsOf(kind, symbol);
  if (!isJsonObject(policies)) {
    validatePolicies(item, kind, { network, policies, known });
    return policies;
  }
  const amounts = policyAmounts(item, policies, known);
  const read = addressOf ? withAddresses(item, amounts, kind, addressOf) : amounts;
  validatePolicies(item, kind, { network, policies: read, known });
  warnBeyondConfig(item, read);
  return read;
}

/** Returns policies with the addresses of their labels; an unknown label is a mistake. */
function withAddresses(item: FileItem, policies: JsonObject, kind: NetworkKind, addressOf: ResolveLabel): JsonObject {
  return replaceRequestAddresses(policies, kind, (text, path) => {
    const at = ["policies", ...path].join(".");
    if (!text.includes("@")) return text;
    item.labels.add(at);
    const isHidden = item.document.interpolations.get(item.full(at))?.isHidden;
    const found = isHidden ? HIDDEN_LABEL : addressOf(kind, text);
    if ("rule" in found) {
      item.problem(at, found.rule, text);
      return text;
    }
    if (item.document.format === "json")
      item.warn(at, `${at}: a service reads no labels from its config file; write the address if this is its own`);
    return found.address;
  });
}

interface ReadPolicies {
  network: JsonValue | undefined;
  policies: JsonValue | undefined;
  known: PolicyFields;
}

function validatePolicies(item: FileItem, kind: NetworkKind, { network, policies, known }: ReadPolicies): void {
  if (policies !== undefined && !isJsonObject(policies)) return;
  if (policies) item.validate(typedPolicySchemas[kind], policies, "policies", (path) => policyNames(known, path));
  if (item.isSettled("policies")) return;
  for (const { path, rule } of policyGaps(kind, policies)) {
    const at = `policies.${path}`;
    if (!item.isSettled(at)) item.doubt(at, rule, undefined, { code: "missing_member", fix: `add ${at}` });
  }
  const rule = policies && policyNetworkRule(kind, network, policies);
  if (rule !== undefined && !item.isSettled("policies.swap_config.strategy"))
    item.doubt("policies.swap_config.strategy", rule, policies?.swap_config ?? null);
}

function policyNames(known: PolicyFields, path: string): readonly string[] {
  const at = path.split(".").slice(1);
  const index = at.findIndex((name) => /^[0-9]+$/.test(name));
  if (index < 0) return at.length === 0 ? Object.keys(known) : fieldNames(policyFieldAt(known, at.join(".")));
  const list = policyFieldAt(known, at.slice(0, index).join("."));
  const entry = list?.type === "list" ? (list.entry?.fields ?? {}) : {};
  const rest = at.slice(index + 1);
  return rest.length === 0 ? Object.keys(entry) : fieldNames(policyFieldAt(entry, rest.join(".")));
}

function fieldNames(field: ReturnType<typeof policyFieldAt>): readonly string[] {
  return field?.type === "object" ? Object.keys(field.fields) : [];
}

/** Returns a value without null members, which mean the same as absent ones in a file (facts 14). */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Warns about policies that the API accepts, but that a service can't read from its own file (facts 14). */
function warnBeyondConfig(item: FileItem, policies: JsonObject): void {
  // No service reads YAML.
  if (item.document.format !== "json") return;
  for (const name of ["gas_price_cap", "min_balance"])
    if (isJsonInteger(policies[name]) && policies[name] > MAX_U64)
      warnOfLimit(item, `policies.${name}`, `reads no integer above 2^64−1 (${MAX_U64})`);
  const { swap_config: swap, allowed_tokens: tokens } = policies;
  if (isJsonObject(swap) && swap.strategy === "noop")
    warnOfLimit(item, "policies.swap_config.strategy", "does not read noop");
  for (const [index, token] of Array.isArray(tokens) ? tokens.entries() : [])
    if (isJsonObject(token) && isJsonObject(token.metadata))
      warnOfLimit(item, `policies.allowed_tokens.${index}.metadata`, "does not read the metadata of a token");
}

function warnOfLimit(item: FileItem, path: string, limit: string): void {
  item.warn(path, `${path}: a service ${limit} from its config file, although its API accepts it`);
}

/** Returns policies whose amounts are integers in the smallest unit; a text may have a unit: `80gwei`, `0.1xlm`. */
function policyAmounts(item: FileItem, policies: JsonObject, fields: PolicyFields, at = "policies"): JsonObject {
  const read = copyJsonObject({});
  for (const [name, value] of Object.entries(policies)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    read[name] = field ? memberAmounts(item, value, field, `${at}.${name}`) : value;
  }
  return read;
}

function memberAmounts(item: FileItem, value: JsonValue, field: PolicyField, path: string): JsonValue {
  if (field.type === "amount") return amountMember(item, value, field, path);
  if (field.type === "object" && isJsonObject(value)) return policyAmounts(item, value, field.fields, path);
  const entry = field.type === "list" ? field.entry : undefined;
  if (!entry || !Array.isArray(value)) return value;
  return value.map((one, index) =>
    isJsonObject(one) ? policyAmounts(item, one, entry.fields, `${path}.${index}`) : one,
  );
}

function amountMember(item: FileItem, value: JsonValue, field: AmountField, path: string): JsonValue {
  if (typeof value !== "string" || item.isSettled(path)) return value;
  const amount = typedAmount(item, value, field, path);
  item.refuseStart(
    path,
    `a service reads no amount in quotes from its config file: ${writeJson(amount)}`,
    "suspicious",
  );
  return amount;
}

function typedAmount(item: FileItem, text: string, field: AmountField, path: string): JsonValue {
  try {
    const currency = policyFieldCurrency(field);
    const { amount, coin } = readAmount(text, currency);
    const problem = coin === undefined ? undefined : wrongCoin(text, coin, currency);
    if (problem !== undefined) throw new AmountError(problem);
    return jsonInteger(amount);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    item.problem(
      path,
      item.isFromElsewhere(path) ? "must be an amount with the unit of this network" : error.message,
      text,
    );
  }
  return text;
}

/** All EVM coins have the same decimals, but an amount in a different coin than the network's is a mistake. */
function wrongCoin(text: string, coin: string, currency: ReturnType<typeof policyFieldCurrency>): string | undefined {
  if (currency.symbol !== undefined) return coinProblem(text, coin, currency);
  return `is in ${coin.toUpperCase()}, but the coin of this network is unknown; write the amount in gwei or wei`;
}
