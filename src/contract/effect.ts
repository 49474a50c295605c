import { patchRisks } from "./effect/patch-risks.ts";
import { effectTexts } from "./effect/texts.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { onlyReads } from "./json-rpc/reading-methods.ts";
import type { Operation } from "./operation.ts";
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
  if (operation.kind === "read") return { ...effect("none"), writes: false };
  if (operation.id === "api") return unvalidated(changesRelayer(operation) ? "id" : "yes");
  const given = body === undefined ? {} : body;
  const validated = isJsonObject(given) ? bodyEffect(operation, given) : unvalidated();
  const risks = operation.kind === "patch" ? patchRisks(operation.id, given) : [];
  return risks.length === 0 ? validated : { ...effect("id", [...risks, ...validated.words]) };
}

function bodyEffect(operation: Operation, object: JsonObject): Effect {
  switch (operation.id) {
    case "relayers.update":
      return relayerEffect(object);
    case "relayers.create":
    case "notifications.create":
    case "signers.create":
    case "plugins.update":
      return effect("none");
    case "networks.update":
      return effect("none", ["relayers on this network without custom RPC URLs will use these"]);
    case "notifications.update":
      return object.signing_key === ""
        ? effect("yes", ["the signing key is removed: deliveries will be unsigned"])
        : effect("none");
    case "tx.replace":
      return effect("yes", [`an earlier version that is signed ${effectTexts.staysValid}`, ...priceWarnings(object)]);
    case "relayers.rpc":
      return jsonRpcEffect(object);
    case "plugins.call":
    case "plugins.call-route":
    case "plugins.call-get":
    case "plugins.call-get-route":
      return effect("yes", ["a plugin can do anything, including sending transactions"]);
    case "tx.send":
      return effect("yes", [effectTexts.sent]);
    case "tx.cancel":
      return effect("yes", [`${effectTexts.onlyRequested}: ${effectTexts.mayBeMined}`]);
    default:
      return operation.kind === "remove" ? effect("yes", ["this cannot be undone"]) : unvalidated();
  }
}

function unvalidated(consent: Consent = "yes"): Effect {
  return effect(consent, ["the effect of this request is unknown"]);
}

function changesRelayer({ method, path }: Operation): boolean {
  const parts = path.split("/").map((part) => decodeURIComponent(part).toLowerCase());
  return (method === "PUT" || method === "PATCH") && parts.includes("relayers");
}

function effect(consent: Consent, words: readonly string[] = []): Effect {
  return { writes: true, consent, words, pausesOne: false };
}

/** JSON-RPC methods that send a signed transaction: of EVM nodes, and of Solana's and Stellar's. */
const SENDING_SIGNED = /^(?:eth_sendRawTransaction|sendTransaction)$/;

/** Methods that sign a transaction and send it (facts 3.3). */
const SENDING = /^(?:eth_send\w+|signAndSendTransaction|transferTransaction)$/;

function jsonRpcEffect(request: JsonObject): Effect {
  const { method } = request;
  if (onlyReads(request)) return { ...effect("none"), writes: false };
  if (typeof method !== "string") return unvalidated();
  if (SENDING_SIGNED.test(method)) return effect("yes", [effectTexts.sentAsSigned]);
  return SENDING.test(method) ? effect("yes", [effectTexts.sent]) : unvalidated();
}

function relayerEffect(body: JsonObject): Effect {
  const pausesOne = Object.keys(body).length === 1 && body.paused === true;
  return {
    ...effect("none", [
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
