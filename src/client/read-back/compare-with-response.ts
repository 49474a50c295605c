import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import { policyDefaults } from "../../contract/policy.ts";
import { networkRpcConfigs } from "../../contract/resources/network.ts";
import { pluginTimeoutSeconds } from "../../contract/resources/plugin.ts";
import { PRICES } from "../../contract/transaction/transaction.ts";
import type { ApiRequest } from "../request.ts";
import { compare, type Difference, type NullRule, type WriteComparison } from "./compare.ts";

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
      return compare({ ...body, ...(body.type === "plain" && { type: "local" }) }, returned, leftToService);
    case "networks.update":
      return compare(
        Array.isArray(body.rpc_urls) ? { ...body, rpc_urls: networkRpcConfigs(body.rpc_urls) } : body,
        returned,
        leftToService,
      );
    case "plugins.update":
      return compare(body, { ...returned, timeout: pluginTimeoutSeconds(returned.timeout) ?? null }, leftToService);
    case "tx.replace":
    case "tx.send":
      return compareReplacement(body, returned);
    default:
      return compare(body, returned, leftToService);
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
  return compare(body.policies === null ? { ...body, policies: cleared } : body, returned, nulls);
}

function isDefault(found: JsonValue, byDefault: bigint | boolean | undefined): boolean {
  return typeof byDefault === "bigint" ? wireAmount(found) === byDefault : found === byDefault;
}

/** Compares a notification. Its key is never returned; `has_signing_key` can only contradict it. */
function compareNotification(body: JsonObject, returned: JsonObject): WriteComparison {
  const { signing_key, ...rest } = body;
  const compared = compare(rest, returned, leftToService);
  const key = compareKey(signing_key, returned.has_signing_key);
  const difference = { path: "has_signing_key", requested: signing_key !== "", returned: returned.has_signing_key };
  return {
    different: key === "different" ? [...compared.different, difference] : compared.different,
    unconfirmed: key === "unconfirmed" ? [...compared.unconfirmed, "signing_key"] : compared.unconfirmed,
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
  const compared = compare(requested, returned, leftToService);
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
