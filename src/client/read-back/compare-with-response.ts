import { wireAmount } from "../../contract/amount.ts";
import { asText, isJsonObject, type JsonObject, type JsonValue, objectIn, writeJson } from "../../contract/json.ts";
import { policyDefaults } from "../../contract/policy.ts";
import { networkRpcConfigs } from "../../contract/resources/network.ts";
import { pluginTimeoutSeconds } from "../../contract/resources/plugin.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { DISTINGUISHING_FIELD } from "../../contract/transaction/replacement-price.ts";
import { PRICES, showsTransactionCancellation, type Transaction } from "../../contract/transaction/transaction.ts";
import { type Applied, type HttpFacts, RelayctlError } from "../../errors.ts";
import type { ApiRequest, WriteFacts } from "../request.ts";
import { compareFields, type Difference, type NullRule, type WriteComparison } from "./compare.ts";

export function compareWithResponse(request: ApiRequest, returned: JsonValue): WriteComparison {
  if (request.operation.bare || !isJsonObject(returned)) return { different: [], unconfirmed: [] };
  const body = objectIn(request.body);
  switch (request.operation.id) {
    case "relayers.update":
      return compareRelayer(body, returned);
    case "notifications.create":
    case "notifications.update":
      return compareNotification(body, returned);
    case "signers.create":
      // A signer of type `plain` is returned as `local` (facts 8.1).
      return compareFields({ ...body, ...(body.type === "plain" && { type: "local" }) }, returned, leftToService);
    case "networks.update":
      return compareFields(
        Array.isArray(body.rpc_urls) ? { ...body, rpc_urls: networkRpcConfigs(body.rpc_urls) } : body,
        returned,
        leftToService,
      );
    case "plugins.update":
      return compareFields(
        body,
        { ...returned, timeout: pluginTimeoutSeconds(returned.timeout) ?? null },
        leftToService,
      );
    case "tx.replace":
    case "tx.send":
      return compareReplacement(body, returned);
    default:
      return compareFields(body, returned, leftToService);
  }
}

/** Outside a merge patch, null means absent: the service chooses the value. */
const leftToService: NullRule = () => "unconfirmed";

/** A cleared policy becomes the default: absence or a known default confirms it, and another value proves nothing. */
function compareRelayer(body: JsonObject, returned: JsonObject): WriteComparison {
  const nulls: NullRule = (path, found) => {
    const defaults = policyDefaults(returned.network_type);
    const [head, field = ""] = path.split(/\.(.*)/s);
    if (head !== "policies") return "different";
    return Object.hasOwn(defaults, field) && isDefault(found, defaults[field]) ? "same" : "unconfirmed";
  };
  const cleared = Object.fromEntries(Object.keys(objectIn(returned.policies)).map((field) => [field, null]));
  return compareFields(body.policies === null ? { ...body, policies: cleared } : body, returned, nulls);
}

function isDefault(found: JsonValue, byDefault: bigint | boolean | undefined): boolean {
  return typeof byDefault === "bigint" ? wireAmount(found) === byDefault : found === byDefault;
}

/** Compares a notification. Its key is never returned; `has_signing_key` can only contradict it. */
function compareNotification(body: JsonObject, returned: JsonObject): WriteComparison {
  const { signing_key, ...rest } = body;
  const compared = compareFields(rest, returned, leftToService);
  const key = compareKey(signing_key, returned.has_signing_key);
  const difference = { path: "has_signing_key", requested: signing_key !== "", returned: returned.has_signing_key };
  return {
    different: key === "different" ? [...compared.different, difference] : compared.different,
    unconfirmed:
      key === "unconfirmed"
        ? [...compared.unconfirmed, signing_key === "" ? difference.path : "signing_key"]
        : compared.unconfirmed,
  };
}

function compareKey(requested: JsonValue | undefined, has: JsonValue | undefined) {
  if (typeof requested !== "string") return "same";
  if (typeof has !== "boolean") return "unconfirmed";
  if (has !== (requested !== "")) return "different";
  return has ? "unconfirmed" : "same";
}

/** Fields of a transaction that cannot be compared: unspecified (interface 2.4), or changed by signing. */
const NEVER_RETURNED = [
  "valid_until",
  "network",
  "operations",
  "memo",
  "fee_bump",
  "max_fee",
  "transaction_xdr",
  "transaction",
  "instructions",
  "signed_auth_entry",
];

/** Compares a replacement. A returned price that differs was not applied (promises 7.3). */
function compareReplacement(body: JsonObject, returned: JsonObject): WriteComparison {
  const requested = Object.fromEntries(Object.entries(body).filter(([key]) => !NEVER_RETURNED.includes(key)));
  const compared = compareFields(requested, returned, leftToService);
  const ignored = PRICES.filter(
    (price) =>
      requested[price] !== undefined &&
      compared.unconfirmed.includes(price) &&
      (returned[price] === null || PRICES.some((other) => returned[other] !== undefined && returned[other] !== null)),
  );
  const different: Difference[] = ignored.map((price) => ({
    path: price,
    requested: requested[price] ?? null,
    returned: returned[price],
  }));
  return {
    different: [...compared.different, ...different],
    unconfirmed: compared.unconfirmed.filter((path) => !ignored.includes(path)),
  };
}

/** Returns the error for an accepted write whose response differs from the request; undefined if they match. */
export function mismatchError(
  request: ApiRequest,
  returned: JsonObject,
  different: readonly Difference[],
  { before, kind }: Pick<WriteFacts, "before" | "kind">,
  http: () => HttpFacts,
): RelayctlError | undefined {
  const failure = (message: string, applied: Applied, because: readonly string[]) =>
    new RelayctlError("mismatch", message, { applied, because, http: http() });
  if (isUntouched(request, returned, before)) {
    const because = ["the service does not replace Stellar transactions: the hash is unchanged"];
    const applied = typeof returned.hash === "string" ? "no" : "unknown";
    return failure("the service reported success but replaced nothing", applied, because);
  }
  if (request.operation.id === "tx.cancel" && !showsTransactionCancellation(returned as Transaction)) {
    const message = "the service reported success but canceled nothing";
    return kind === "stellar"
      ? failure(message, "no", ["the service does not cancel Stellar transactions"])
      : failure(message, "unknown", ["the record shows no cancellation"]);
  }
  if (different.length === 0) return undefined;
  const applied = isReplaced(request, returned, before) ? "yes" : "unknown";
  const because = [...different.map(mismatchText), ...priceWords(request, different)];
  // A proxy may return the response to another request.
  const success = applied === "yes" ? "accepted, but the response" : "the response reports success, but";
  return failure(`${success} differs from the request`, applied, because);
}

/** Returns an explanation of these prices (facts 5.4). */
function priceWords({ operation }: ApiRequest, different: readonly Difference[]): string[] {
  const isIgnored = operation.id === "tx.replace" && different.some(({ path }) => PRICES.includes(path));
  return isIgnored ? ["the service set the fee itself: services up to v1.8 ignore the requested price"] : [];
}

/** Returns whether a new hash proves the replacement; without one, a response may show the old version. */
function isReplaced(request: ApiRequest, returned: JsonObject, before: JsonObject | undefined): boolean {
  if (request.operation.id !== "tx.replace" || !before) return false;
  return typeof returned.hash === "string" && returned.hash !== before.hash;
}

/** Returns whether a Stellar replacement changed nothing: the hash is the same (facts 5.4). */
function isUntouched(request: ApiRequest, returned: JsonObject, before: JsonObject | undefined): boolean {
  if (!isStellarReplacement(request) || before === undefined) return false;
  return (returned.hash ?? null) === (before.hash ?? null);
}

export function isStellarReplacement({ operation, body }: ApiRequest): boolean {
  return operation.id === "tx.replace" && isJsonObject(body) && DISTINGUISHING_FIELD.stellar in body;
}

/** Returns `max_fee_per_gas: requested 5, got 7`; URLs are shown only as far as allowed. */
export function mismatchText({ path, requested, returned }: Difference): string {
  const shown = (value: JsonValue) => valueText(withMaskedRpcUrls({ [path]: value })[path] ?? null);
  return `${path}: requested ${shown(requested)}, got ${returned === undefined ? "nothing" : shown(returned)}`;
}

function valueText(value: JsonValue): string {
  return asText(value).replace(/:\/\/[^/?#\s]*@/g, "://");
}

/** Returns why a response describes a different resource than the requested one; undefined if it does not. */
export function findWrongIdentity(request: ApiRequest, returned: JsonValue): string | undefined {
  const { id, bare, answers = "id" } = request.operation;
  if (id === "relayers.rpc") return wrongRpcId(request.body, returned);
  if (bare || !isJsonObject(returned)) return undefined;
  const named = request.operation.answers ? lastParameter(request) : identityInBody(request);
  const found = answers === "nonce" ? wireAmount(returned.nonce)?.toString() : returned.id;
  if (named !== undefined && found !== named) return `the response has a different ${answers} than the request`;
  const relayer = request.parameters?.relayer_id;
  const owner = returned.relayer_id ?? relayer;
  return owner === relayer ? undefined : "the response is for a different relayer than the request";
}

/** Compares the IDs of a JSON-RPC request and its response. A response without an ID is accepted (facts 3.3). */
function wrongRpcId(request: JsonValue | undefined, response: JsonValue): string | undefined {
  const [sent = null, received = null] = [request, response].map((each) => (isJsonObject(each) ? each.id : null));
  const isOther = sent !== null && received !== null && writeJson(sent) !== writeJson(received);
  return isOther ? "the response has a different JSON-RPC ID than the request" : undefined;
}

/** Returns a transaction's relayer if it is not the requested relayer: the service does not check (facts 3.4). */
export function findOtherRelayer({ operation, parameters = {} }: ApiRequest, returned: JsonValue): string | undefined {
  if (operation.id !== "tx.get" || !isJsonObject(returned) || returned.id !== parameters.transaction_id)
    return undefined;
  const owner = returned.relayer_id;
  return typeof owner === "string" && owner !== parameters.relayer_id ? owner : undefined;
}

export function identityInBody(request: ApiRequest): string | undefined {
  return isJsonObject(request.body) && typeof request.body.id === "string" ? request.body.id : undefined;
}

function lastParameter(request: ApiRequest): string | undefined {
  const name = /.*\{(\w+)\}/.exec(request.operation.path)?.[1];
  return name === undefined ? undefined : request.parameters?.[name];
}
