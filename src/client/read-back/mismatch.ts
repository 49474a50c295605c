import { asText, isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { DISTINGUISHING_FIELD } from "../../contract/transaction/replacement-price.ts";
import { PRICES, showsTransactionCancellation, type Transaction } from "../../contract/transaction/transaction.ts";
import { type Applied, type HttpFacts, RelayctlError } from "../../errors.ts";
import type { ApiRequest, WriteFacts } from "../request.ts";
import type { Difference } from "./compare.ts";

/** Returns the error for an accepted write whose response differs from the request; undefined if they match. */
export function mismatch(
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
