import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { asRpcConfigs } from "../contract/network.ts";
import { timeoutSeconds } from "../contract/plugin.ts";
import { policyDefaults } from "../contract/policy.ts";
import { PRICES } from "../contract/transaction.ts";
import { type Comparison, compare, type Difference, type NullRule } from "./compare.ts";
import type { Ask } from "./request.ts";

/** Holds the answer of a write, or a resource that was read after it, against what was asked. */
export function judgeAnswer(ask: Ask, answered: JsonValue): Comparison {
  if (ask.operation.bare || !isJsonObject(answered)) return { different: [], unconfirmed: [] };
  const body = isJsonObject(ask.body) ? ask.body : {};
  switch (ask.operation.id) {
    case "relayers.update":
      return judgeRelayer(body, answered);
    case "notifications.create":
    case "notifications.update":
      return judgeNotification(body, answered);
    case "signers.create":
      return compare({ ...body, ...answeredType(body.type) }, answered, leftToService);
    case "networks.update":
      return compare(withRpcConfigs(body), answered, leftToService);
    case "plugins.update":
      return compare(body, { ...answered, timeout: timeoutSeconds(answered.timeout) ?? null }, leftToService);
    case "tx.replace":
    case "tx.send":
      return judgeReplacement(body, answered);
    default:
      return compare(body, answered, leftToService);
  }
}

/** Elsewhere than in a merge patch null stands for absent: what comes back is the service's choice. */
const leftToService: NullRule = () => "unconfirmed";

/**
 * A policy that is cleared falls back to a value of the service's own: absence or a known default confirms it, and
 * another value says nothing. `policies: null` clears every member.
 */
function judgeRelayer(body: JsonObject, answered: JsonObject): Comparison {
  const nulls: NullRule = (path, found) => {
    const defaults = policyDefaults(answered.network_type);
    const [head, member = ""] = path.split(/\.(.*)/s);
    if (head !== "policies") return "different";
    return Object.hasOwn(defaults, member) && isDefault(found, defaults[member]) ? "same" : "unconfirmed";
  };
  return compare(body.policies === null ? { ...body, policies: allCleared(answered) } : body, answered, nulls);
}

function isDefault(found: JsonValue, byDefault: bigint | boolean | undefined): boolean {
  return typeof byDefault === "bigint" ? wireAmount(found) === byDefault : found === byDefault;
}

function allCleared({ policies }: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(isJsonObject(policies) ? policies : {}).map((member) => [member, null]));
}

/** The key is never returned; `has_signing_key` can contradict it, and confirm only that it is gone. */
function judgeNotification(body: JsonObject, answered: JsonObject): Comparison {
  const { signing_key, ...rest } = body;
  const compared = compare(rest, answered, leftToService);
  const key = judgeKey(signing_key, answered.has_signing_key);
  const difference = { path: "has_signing_key", asked: signing_key !== "", answered: answered.has_signing_key };
  return {
    different: key === "different" ? [...compared.different, difference] : compared.different,
    unconfirmed: key === "unconfirmed" ? [...compared.unconfirmed, "signing_key"] : compared.unconfirmed,
  };
}

function judgeKey(asked: JsonValue | undefined, has: JsonValue | undefined): "same" | "different" | "unconfirmed" {
  if (typeof asked !== "string") return "same";
  if (typeof has !== "boolean") return "unconfirmed";
  if (has !== (asked !== "")) return "different";
  return has ? "unconfirmed" : "same";
}

/** facts 8.1: a signer of the type `plain` comes back as `local`. */
function answeredType(asked: JsonValue | undefined): JsonObject {
  return asked === "plain" ? { type: "local" } : {};
}

/** facts 8.2: a bare URL comes back as an entry. */
function withRpcConfigs(body: JsonObject): JsonObject {
  return Array.isArray(body.rpc_urls) ? { ...body, rpc_urls: asRpcConfigs(body.rpc_urls) } : body;
}

/**
 * Members of a transaction that cannot be compared: the interface does not specify them (interface 2.4), or the
 * transaction is signed by then.
 */
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

/** A requested price that comes back different, null, or as another price field was not applied (promises 7.3). */
function judgeReplacement(body: JsonObject, answered: JsonObject): Comparison {
  const asked = Object.fromEntries(Object.entries(body).filter(([key]) => !NEVER_RETURNED.includes(key)));
  const compared = compare(asked, answered, leftToService);
  const ignored = PRICES.filter(
    (price) => asked[price] !== undefined && compared.unconfirmed.includes(price) && priceIsTold(answered, price),
  );
  const different: Difference[] = ignored.map((price) => ({
    path: price,
    asked: asked[price] ?? null,
    answered: answered[price],
  }));
  return {
    different: [...compared.different, ...different],
    unconfirmed: compared.unconfirmed.filter((path) => !ignored.includes(path)),
  };
}

function priceIsTold(answered: JsonObject, price: string): boolean {
  return answered[price] === null || PRICES.some((other) => answered[other] !== undefined && answered[other] !== null);
}
