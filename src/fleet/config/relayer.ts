import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { MAX_U64 } from "../../contract/largest-integers.ts";
import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import { fieldAt, missingPolicies, networkRule, type PolicyFields, policyFieldsOf } from "../../contract/policy.ts";
import { createRelayerSchema, typedPolicySchemas } from "../../contract/requests.ts";
import { requestFields, sentFields } from "../../contract/resources/field.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { hiddenIn } from "../hidden.ts";
import type { FileItem } from "./file-item.ts";
import { policyAmounts } from "./policy-amounts.ts";
import { rpcUrls } from "./rpc-urls.ts";

const SENT = sentFields(relayerFields, "create");
const KNOWN = requestFields(relayerFields);
const NEEDED = SENT.flatMap(([name, field]) => (field.needed === undefined ? [] : [[name, field.needed] as const]));
/** The service reads no relayer without these from its file (facts 14). */
const REQUIRED = { id: "its ID", ...Object.fromEntries(NEEDED), paused: "true or false" };

/** Returns the symbol of a network's coin, if it is known. */
export type SymbolOf = (kind: NetworkKind, network: string) => string | undefined;

/** Returns a relayer as a request creates it (facts 14). */
export function readRelayer(item: FileItem, symbolOf: SymbolOf): JsonObject {
  const fields = item.members({ known: KNOWN, required: REQUIRED, ignoresUnknown: true });
  const { network_type: kind, network, custom_rpc_urls: urls, policies } = fields;
  // Service v1.0 does not return the signer (facts 4.1), and what a service does not have cannot be referred to.
  for (const name of ["signer_id", "notification_id"])
    if (typeof fields[name] === "string" && hiddenIn(fields[name]) !== undefined) item.hide(name);
  if (urls !== undefined) fields.custom_rpc_urls = rpcUrls(item, "custom_rpc_urls", urls);
  if (isNetworkKind(kind)) {
    const symbol = typeof network === "string" ? symbolOf(kind, network) : undefined;
    const known = policyFieldsOf(kind, symbol);
    const read = isJsonObject(policies) ? policyAmounts(item, policies, known) : policies;
    validatePolicies(item, kind, { network, policies: read, known });
    if (isJsonObject(read)) warnBeyondConfig(item, read);
    if (read !== undefined) fields.policies = withoutNulls(read);
  }
  item.validate(createRelayerSchema, fields, "", namesAt);
  return fields;
}

function namesAt(path: string): readonly string[] {
  return path.startsWith("custom_rpc_urls") ? ["url", "weight"] : [];
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
  for (const { path, rule } of missingPolicies(kind, policies)) {
    const at = `policies.${path}`;
    if (!item.isSettled(at)) item.doubt(at, rule);
  }
  const rule = policies && networkRule(kind, network, policies);
  if (rule !== undefined && !item.isSettled("policies.swap_config.strategy"))
    item.doubt("policies.swap_config.strategy", rule, policies?.swap_config ?? null);
}

function policyNames(known: PolicyFields, path: string): readonly string[] {
  const at = path.split(".").slice(1);
  const index = at.findIndex((name) => /^[0-9]+$/.test(name));
  if (index < 0) return at.length === 0 ? Object.keys(known) : namesOf(fieldAt(known, at.join(".")));
  const list = fieldAt(known, at.slice(0, index).join("."));
  const entry = list?.type === "list" ? (list.entry?.fields ?? {}) : {};
  const rest = at.slice(index + 1);
  return rest.length === 0 ? Object.keys(entry) : namesOf(fieldAt(entry, rest.join(".")));
}

function namesOf(field: ReturnType<typeof fieldAt>): readonly string[] {
  return field?.type === "object" ? Object.keys(field.fields) : [];
}

/** Returns a value without the members that are null: in a file they mean the same as absent ones (facts 14). */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Warns of policies that the API accepts, but that a service cannot read from this file if it is its own (facts 14). */
function warnBeyondConfig(item: FileItem, policies: JsonObject): void {
  // No service reads YAML.
  if (item.document.format !== "json") return;
  for (const name of ["gas_price_cap", "min_balance"])
    if (isJsonInteger(policies[name]) && policies[name] > MAX_U64)
      warn(item, `policies.${name}`, `reads no integer above 2^64−1 (${MAX_U64})`);
  const { swap_config: swap, allowed_tokens: tokens } = policies;
  if (isJsonObject(swap) && swap.strategy === "noop") warn(item, "policies.swap_config.strategy", "does not read noop");
  for (const [index, token] of Array.isArray(tokens) ? tokens.entries() : [])
    if (isJsonObject(token) && isJsonObject(token.metadata))
      warn(item, `policies.allowed_tokens.${index}.metadata`, "does not read the metadata of a token");
}

function warn(item: FileItem, path: string, limit: string): void {
  item.warn(path, `${path}: a service ${limit} from its config file, although its API accepts it`);
}
