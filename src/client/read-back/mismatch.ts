import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { DISTINGUISHING_FIELD } from "../../contract/transaction/replacement.ts";
import { PRICES, type Transaction } from "../../contract/transaction/transaction.ts";
import { kindOfTransaction, showsCancellation } from "../../contract/transaction/transaction-state.ts";
import { type HttpFacts, RelayctlError } from "../../errors.ts";
import type { ApiRequest } from "../request.ts";
import type { Difference } from "./compare.ts";

/** The error for a write that was accepted and whose answer is not what was asked; nothing when it is. */
export function mismatch(
  request: ApiRequest,
  returned: JsonObject,
  different: readonly Difference[],
  before: JsonObject | undefined,
  http: () => HttpFacts,
): RelayctlError | undefined {
  if (isUntouched(request, returned, before)) {
    return new RelayctlError("mismatch", "the service reported success but replaced nothing", {
      applied: typeof returned.hash === "string" ? "no" : "unknown",
      because: ["the service does not replace Stellar transactions: the hash is unchanged"],
      http: http(),
    });
  }
  if (request.operation.id === "tx.cancel" && !showsCancellation(returned as Transaction)) {
    const isStellar = kindOfTransaction(returned as Transaction) === "stellar";
    return new RelayctlError("mismatch", "the service reported success but canceled nothing", {
      applied: isStellar ? "no" : "unknown",
      because: [isStellar ? "the service does not cancel Stellar transactions" : "the record shows no cancellation"],
      http: http(),
    });
  }
  if (different.length === 0) return undefined;
  const applied = isReplaced(request, returned, before) ? "yes" : "unknown";
  return new RelayctlError("mismatch", "accepted, but the response differs from the request", {
    applied,
    because: [...different.map(differenceText), ...priceWords(request, different)],
    http: http(),
  });
}

/** Added to the message in these cases (facts 5.4). */
function priceWords({ operation }: ApiRequest, different: readonly Difference[]): string[] {
  const isIgnored = operation.id === "tx.replace" && different.some(({ path }) => PRICES.includes(path));
  return isIgnored ? ["the service set the fee itself: services up to v1.8 ignore the requested price"] : [];
}

/** A new hash proves a replacement; any other answer that differs may be the thing as it was. */
function isReplaced(request: ApiRequest, returned: JsonObject, before: JsonObject | undefined): boolean {
  if (request.operation.id !== "tx.replace" || !before) return false;
  return typeof returned.hash === "string" && returned.hash !== before.hash;
}

/** A Stellar replacement that leaves the hash unchanged did nothing (facts 5.4). */
function isUntouched(request: ApiRequest, returned: JsonObject, before: JsonObject | undefined): boolean {
  if (
    request.operation.id !== "tx.replace" ||
    !isJsonObject(request.body) ||
    !(DISTINGUISHING_FIELD.stellar in request.body)
  )
    return false;
  return before !== undefined && (returned.hash ?? null) === (before.hash ?? null);
}

/** `max_fee_per_gas: requested 5, got 7`; of a URL what may be shown. */
export function differenceText({ path, requested, returned }: Difference): string {
  const shown = (value: JsonValue) => valueText(withMaskedRpcUrls({ [path]: value })[path] ?? null);
  return `${path}: requested ${shown(requested)}, got ${returned === undefined ? "nothing" : shown(returned)}`;
}

function valueText(value: JsonValue): string {
  const text = typeof value === "string" ? value : writeJson(value);
  return text.replace(/:\/\/[^/?#\s]*@/g, "://");
}
