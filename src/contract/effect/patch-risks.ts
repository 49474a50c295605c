import { isJsonInteger, isJsonObject, type JsonValue } from "../json.ts";
import { fitsPolicyField } from "../policy/cap-change.ts";
import { type ListField, type PolicyField, policyFields } from "../policy.ts";
import { type FieldTable, type SentField, sentFields } from "../resources/field.ts";
import { notificationFields } from "../resources/notification.ts";
import { pluginFields } from "../resources/plugin.ts";
import { relayerFields } from "../resources/relayer.ts";

type Fits = (value: JsonValue) => boolean;

const text: Fits = (value) => typeof value === "string";
const orNull = (fits: Fits) => (value: JsonValue) => value === null || fits(value);
const nodes: Fits = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => text(item) || isUrl(item));

function isUrl(value: JsonValue): boolean {
  return isJsonObject(value) && text(value.url ?? null);
}

/** Whether a value has a field's type. The contents of policies have their own rules. */
const FITS: Readonly<Record<SentField["form"], Fits>> = {
  text,
  id: text,
  "new id": text,
  word: text,
  flag: (value) => typeof value === "boolean",
  "rpc urls": (value) => Array.isArray(value) && value.every(isUrl),
  policies: isJsonObject,
  "any text": text,
  url: text,
  seconds: isJsonInteger,
  object: isJsonObject,
};

function buildFits(table: FieldTable): Readonly<Record<string, Fits>> {
  const fields = sentFields(table, "update");
  return Object.fromEntries(
    fields.map(([name, { form, null: isNullable }]) => [name, isNullable ? orNull(FITS[form]) : FITS[form]]),
  );
}

/** The members that each patch may have; any other member has an unknown effect. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Fits>>>> = {
  "relayers.update": buildFits(relayerFields),
  "notifications.update": buildFits(notificationFields),
  "networks.update": { rpc_urls: nodes },
  "plugins.update": buildFits(pluginFields),
};

/** Returns effects that require typing the target's ID: what resets or opens policies, or is not understood. */
export function patchRisks(id: string, body: JsonValue): string[] {
  if (!isJsonObject(body)) return ["the body is not a JSON object: what it replaces is unknown"];
  const fields = FIELDS[id] ?? {};
  return Object.entries(body).flatMap(([key, value]) => {
    if (id === "relayers.update" && key === "policies") return policyRisks(value);
    return Object.hasOwn(fields, key) && fields[key]?.(value) ? [] : [notUnderstood(key)];
  });
}

/** Returns what resets all, changes whether a list limits, or is not understood. Fields mean the same on any kind. */
function policyRisks(policies: JsonValue): string[] {
  if (policies === null)
    return ["every policy is reset, including the list of allowed receivers: any receiver will be allowed"];
  if (!isJsonObject(policies))
    return ["policies is not an object: every policy may be reset, and any receiver allowed"];
  return Object.entries(policies).flatMap(([key, value]) => fieldRisks(key, value));
}

function fieldRisks(key: string, value: JsonValue): string[] {
  const fields = Object.values(policyFields).flatMap((fields) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field ? [field] : [];
  });
  const guard = fields.find(isGuard);
  if (guard && value === null) return [`${key} is unset: ${guard.unset}`];
  if (guard && Array.isArray(value) && value.length === 0) return [`${key} is empty: ${guard.empty}`];
  if (fields.some((field) => fitsPolicyField(field, value))) return [];
  return [guard ? `${key} is not ${guard.rule}: what it will allow is unknown` : notUnderstood(`policies.${key}`)];
}

function notUnderstood(key: string): string {
  return `"${key}" does not have a known name and type: its effect is unknown`;
}

function isGuard(field: PolicyField): field is PolicyField & ListField {
  return field.type === "list" && field.guards === true;
}
