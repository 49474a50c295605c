import { isJsonObject, type JsonObject, type JsonValue, mergePatch } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { policyGaps } from "../../contract/policy.ts";
import { createRelayerSchema, policySchemas, updateRelayerSchema } from "../../contract/requests.ts";
import type { RpcConfig } from "../../contract/resources/relayer.ts";
import { DEFAULT_WEIGHT, withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { hexDigits } from "../digits.ts";
import { type Handler, handlerJsonBody, validForHandler } from "../handler.ts";
import { checkNewHealth, resumeWaiting } from "../health/checks.ts";
import { badRequest, notificationMissing, Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { lookUpKind, lookUpRelayer } from "../transaction/lookup.ts";
import { findResource } from "./resources.ts";

/** Returns a relayer with a patch. @throws Refusal */
type PatchRelayer = (state: ServerState, relayer: Resource, body: JsonValue) => JsonObject;

export function updatingRelayerBy(patch: PatchRelayer, show: (relayer: JsonObject) => JsonObject): Handler {
  return async ({ ids: [id = ""], request, store, now }) => {
    const body = handlerJsonBody(request);
    return store.change((state) => {
      const updated = { ...patch(state, lookUpRelayer(state, id), body), id };
      state.relayers.put(updated);
      resumeWaiting(state, now);
      return { data: show(updated) };
    });
  };
}

/** Updates even a disabled relayer, since the interface (4.2) does not forbid it. */
export const updateRelayer = updatingRelayerBy(patchedRelayer, withMaskedRpcUrls);

/** Returns a relayer after a merge patch (interface 4.2, facts 4.5), validated as sent and merged. @throws Refusal */
function patchedRelayer({ notifications }: ServerState, relayer: Resource, body: JsonValue): JsonObject {
  const kind = lookUpKind(relayer);
  const patch = validForHandler(updateRelayerSchema, body);
  if (!isJsonObject(body) || patch.name === null) throw badRequest();
  if (body.policies) validForHandler(policySchemas[kind], body.policies);
  const reported = patch.notification_id;
  if (reported && !notifications.get(reported)) throw notificationMissing(reported);
  const urls = patch.custom_rpc_urls && { custom_rpc_urls: patch.custom_rpc_urls.map(withWeight) };
  const merged = mergePatch(relayer, { ...body, ...urls });
  refuseBrokenPolicies(kind, merged.policies ?? {});
  return merged;
}

/** Adds the default weight, 100 (facts 4.4). */
function withWeight({ url, weight = DEFAULT_WEIGHT }: RpcConfig): JsonObject {
  return { url, weight };
}

function refuseBrokenPolicies(kind: NetworkKind, policies: JsonValue): void {
  const merged = validForHandler(policySchemas[kind], policies);
  if (kind === "stellar" && merged.fee_payment_strategy === undefined) throw badRequest();
}

/** Creates a relayer, with the checks of facts 3.1 in order. The response precedes the health checks. */
export function creatingRelayerBy(read: (request: WireRequest) => JsonObject): Handler {
  return async ({ request, store, random, now }) => {
    const body = read(request);
    return store.change((state) => {
      const named: Resource = { ...body, id: typeof body.id === "string" ? body.id : random.uuid() };
      refuse(state, named);
      const address = addressFor(lookUpKind(named), state.relayers.size() + 1);
      const created = { ...named, address, system_disabled: false };
      state.relayers.put(created);
      checkNewHealth(state, created, now);
      return { status: 201, data: withMaskedRpcUrls(created) };
    });
  };
}

export const createRelayer: Handler = creatingRelayerBy((request) => {
  const body = handlerJsonBody(request);
  const { policies: _, custom_rpc_urls: urls, ...rest } = validForHandler(createRelayerSchema, body);
  const policies = firstPolicies(rest.network_type, (isJsonObject(body) && body.policies) || null);
  return { ...rest, ...(policies && { policies }), ...(urls && { custom_rpc_urls: urls.map(withWeight) }) };
});

function firstPolicies(kind: NetworkKind, policies: JsonValue): JsonObject | undefined {
  if (policies === null && kind !== "stellar") return undefined;
  const validated = validForHandler(policySchemas[kind], policies);
  if (policyGaps(kind, validated).length > 0) throw badRequest();
  return validated;
}

function refuse(state: ServerState, body: Resource): void {
  const { relayers, networks } = state;
  const { id, signer_id: signer, network, network_type: kind, notification_id: notification } = body;
  if (!networks.get(`${kind}:${network}`))
    throw new Refusal(
      400,
      `Network '${network}' not found for network type '${kind}'. Please ensure the network configuration exists.`,
    );
  const user = relayers.all().find((relayer) => relayer.signer_id === signer && relayer.network === network);
  if (user)
    throw new Refusal(
      400,
      `Cannot create relayer: signer '${signer}' is already in use by relayer '${user.id}' on network '${network}'. Each signer can only be connected to one relayer per network for security reasons. Please use a different signer or create the relayer on a different network.`,
    );
  if (typeof notification === "string") findResource(state, "notifications", notification);
  if (relayers.get(id)) throw new Refusal(500, "An unknown error occurred");
}

function addressFor(kind: NetworkKind, number: number): string {
  if (kind === "evm") return `0x${hexDigits(number, 40)}`;
  const digits = hexDigits(number, 55).toUpperCase();
  return kind === "stellar" ? `G${digits.replaceAll(/[0189]/g, "A")}` : digits.slice(0, 44).replaceAll("0", "g");
}
