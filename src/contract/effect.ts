import { effectTexts } from "./effect/texts.ts";
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { onlyReads } from "./json-rpc/reading-methods.ts";
import type { Operation } from "./operation.ts";
import { fitsPolicyField } from "./policy/cap-change.ts";
import { type ListField, type PolicyField, policyFields } from "./policy.ts";
import { type FieldTable, type SentField, sentFields } from "./resources/field.ts";
import { notificationFields } from "./resources/notification.ts";
import { pluginFields } from "./resources/plugin.ts";
import { relayerFields } from "./resources/relayer.ts";
import { PRICES } from "./transaction/transaction.ts";

/** The consent that a request needs (promises 5): none, a yes, or typing the ID of its target. */
type Consent = "none" | "yes" | "id";

/** The effect of a request, regardless of the command. */
export interface Effect {
  writes: boolean;
  consent: Consent;
  words: readonly string[];
  /** Whether it only pauses one relayer, which is always allowed, so that an incident need not wait. */
  pausesOne: boolean;
}

/** Returns the effect of an operation with this body. An unknown operation counts as a write with unknown effects. */
export function effectOf(operation: Operation, body: JsonValue | undefined): Effect {
  if (operation.kind === "read") return { ...toEffect("none"), writes: false };
  if (operation.id === "api") return unvalidatedEffect(changesRelayer(operation) ? "id" : "yes");
  const given = body === undefined ? {} : body;
  const validated = isJsonObject(given) ? bodyEffect(operation, given) : unvalidatedEffect();
  const risks = operation.kind === "patch" ? patchRisks(operation.id, given) : [];
  return risks.length === 0 ? validated : { ...toEffect("id", [...risks, ...validated.words]) };
}

function bodyEffect(operation: Operation, object: JsonObject): Effect {
  switch (operation.id) {
    case "relayers.update":
      return relayerEffect(object);
    case "relayers.create":
    case "notifications.create":
    case "signers.create":
    case "plugins.update":
      return toEffect("none");
    case "networks.update":
      return toEffect("none", ["relayers on this network without custom RPC URLs will use these"]);
    case "notifications.update":
      return object.signing_key === ""
        ? toEffect("yes", ["the signing key is removed: deliveries will be unsigned"])
        : toEffect("none");
    case "tx.replace":
      return toEffect("yes", [`an earlier version that is signed ${effectTexts.staysValid}`, ...priceWarnings(object)]);
    case "relayers.rpc":
      return jsonRpcEffect(object);
    case "plugins.call":
    case "plugins.call-route":
    case "plugins.call-get":
    case "plugins.call-get-route":
      return toEffect("yes", ["a plugin can do anything, including sending transactions"]);
    case "tx.send":
      return toEffect("yes", [effectTexts.sent]);
    case "tx.cancel":
      return toEffect("yes", [`${effectTexts.onlyRequested}: ${effectTexts.mayBeMined}`]);
    default:
      return operation.kind === "remove" ? toEffect("yes", ["this cannot be undone"]) : unvalidatedEffect();
  }
}

function unvalidatedEffect(consent: Consent = "yes"): Effect {
  return toEffect(consent, ["the effect of this request is unknown"]);
}

function changesRelayer({ method, path }: Operation): boolean {
  const parts = path.split("/").map((part) => decodeURIComponent(part).toLowerCase());
  return (method === "PUT" || method === "PATCH") && parts.includes("relayers");
}

function toEffect(consent: Consent, words: readonly string[] = []): Effect {
  return { writes: true, consent, words, pausesOne: false };
}

/** JSON-RPC methods that send a signed transaction: of EVM nodes, and of Solana's and Stellar's. */
const SENDING_SIGNED = /^(?:eth_sendRawTransaction|sendTransaction)$/;

/** Methods that sign a transaction and send it (facts 3.3). */
const SENDING = /^(?:eth_send\w+|signAndSendTransaction|transferTransaction)$/;

function jsonRpcEffect(request: JsonObject): Effect {
  const { method } = request;
  if (onlyReads(request)) return { ...toEffect("none"), writes: false };
  if (typeof method !== "string") return unvalidatedEffect();
  if (SENDING_SIGNED.test(method)) return toEffect("yes", [effectTexts.sentAsSigned]);
  return SENDING.test(method) ? toEffect("yes", [effectTexts.sent]) : unvalidatedEffect();
}

function relayerEffect(body: JsonObject): Effect {
  const pausesOne = Object.keys(body).length === 1 && body.paused === true;
  return {
    ...toEffect("none", [
      ...(body.paused === true ? [`paused: ${effectTexts.whilePaused}`] : []),
      ...(body.notification_id === null ? [effectTexts.notificationUnset] : []),
    ]),
    pausesOne,
  };
}

/** Returns a warning about explicit prices, which services up to v1.8 validate and then discard (facts 5.4). */
export function priceWarnings(body: JsonObject): string[] {
  const priced = PRICES.some((price) => body[price] !== undefined);
  return priced ? [`services up to v1.8 ignore explicit prices and ${effectTexts.raisesFee}`] : [];
}

type Fits = (value: JsonValue) => boolean;

const isText: Fits = (value) => typeof value === "string";
const orNull = (fits: Fits) => (value: JsonValue) => value === null || fits(value);
const areNodes: Fits = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isText(item) || isUrl(item));

function isUrl(value: JsonValue): boolean {
  return isJsonObject(value) && isText(value.url ?? null);
}

/** Whether a value has a field's type. The contents of policies have their own rules. */
const FITS: Readonly<Record<SentField["form"], Fits>> = {
  text: isText,
  id: isText,
  "new id": isText,
  word: isText,
  flag: (value) => typeof value === "boolean",
  "rpc urls": (value) => Array.isArray(value) && value.every(isUrl),
  policies: isJsonObject,
  "any text": isText,
  url: isText,
  seconds: isJsonInteger,
  object: isJsonObject,
};

function fitsByField(table: FieldTable): Readonly<Record<string, Fits>> {
  const fields = sentFields(table, "update");
  return Object.fromEntries(
    fields.map(([name, { form, null: isNullable }]) => [name, isNullable ? orNull(FITS[form]) : FITS[form]]),
  );
}

/** The members that each patch may have; any other member has an unknown effect. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Fits>>>> = {
  "relayers.update": fitsByField(relayerFields),
  "notifications.update": fitsByField(notificationFields),
  "networks.update": { rpc_urls: areNodes },
  "plugins.update": fitsByField(pluginFields),
};

/** Returns effects that require typing the target's ID: what resets or opens policies, or is not understood. */
function patchRisks(id: string, body: JsonValue): string[] {
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
