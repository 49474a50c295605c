import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { policyDefaults } from "../contract/policy.ts";
import { type Comparison, compare, type Difference } from "./compare.ts";
import { lastParameter } from "./read.ts";
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
    case "tx.replace":
      return judgeReplacement(body, answered);
    default:
      return compare(body, answered);
  }
}

/** What is wrong with the identity of an answer: it speaks of another thing than the one that was written. */
export function wrongIdentity(ask: Ask, answered: JsonValue): string | undefined {
  if (ask.operation.bare || !isJsonObject(answered)) return undefined;
  const id = ask.operation.answers ? lastParameter(ask) : (isJsonObject(ask.body) && ask.body.id) || undefined;
  if (id !== undefined && answered.id !== id) return "the answer names another id than was asked for";
  const relayer = ask.parameters?.relayer_id;
  const named = answered.relayer_id ?? undefined;
  if (relayer !== undefined && named !== undefined && named !== relayer) return "the answer names another relayer than was asked for";
  return undefined;
}

/** `policies: null` resets every member; only the ones with a default of their own can be confirmed (design 7). */
function judgeRelayer(body: JsonObject, answered: JsonObject): Comparison {
  const defaults = Object.entries(policyDefaults(answered.network_type)).map(([key, value]) => [`policies.${key}`, value]);
  if (body.policies !== null) return compare(body, answered, Object.fromEntries(defaults));
  const { policies: _, ...rest } = body;
  const compared = compare(rest, answered);
  return answered.policies ? { ...compared, unconfirmed: [...compared.unconfirmed, "policies"] } : compared;
}

/** The key is never returned; `has_signing_key` can contradict it, and confirm only that it is gone. */
function judgeNotification(body: JsonObject, answered: JsonObject): Comparison {
  const { signing_key, ...rest } = body;
  const compared = compare(rest, answered);
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

const PRICES = ["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"];
/** What a transaction does not return, whatever was asked (interface.md, Transaction). */
const NEVER_RETURNED = ["valid_until", "network", "operations", "memo", "fee_bump", "max_fee", "transaction_xdr"];

/** A price that was asked and comes back as another, as null, or as another price field was not applied (design 7). */
function judgeReplacement(body: JsonObject, answered: JsonObject): Comparison {
  const asked = Object.fromEntries(Object.entries(body).filter(([key]) => !NEVER_RETURNED.includes(key)));
  const compared = compare(asked, answered);
  const ignored = PRICES.filter((price) => asked[price] !== undefined && compared.unconfirmed.includes(price) && priceIsTold(answered, price));
  const different: Difference[] = ignored.map((price) => ({ path: price, asked: asked[price] ?? null, answered: answered[price] }));
  return {
    different: [...compared.different, ...different],
    unconfirmed: compared.unconfirmed.filter((path) => !ignored.includes(path)),
  };
}

function priceIsTold(answered: JsonObject, price: string): boolean {
  return answered[price] === null || PRICES.some((other) => answered[other] !== undefined && answered[other] !== null);
}
