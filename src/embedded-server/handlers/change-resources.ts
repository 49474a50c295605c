import { isJsonObject, type JsonObject, type JsonValue, mergePatch, objectIn } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { policyGaps } from "../../contract/policy.ts";
import {
  createNotificationSchema,
  createRelayerSchema,
  createSignerSchemas,
  policySchemas,
  updateNotificationSchema,
  updateRelayerSchema,
} from "../../contract/requests.ts";
import type { RpcConfig } from "../../contract/resources/relayer.ts";
import { SIGNER_TYPES, type SignerField, type SignerType, signerFields } from "../../contract/resources/signer.ts";
import { DEFAULT_WEIGHT, withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { hexDigits } from "../digits.ts";
import { type Handler, handlerJsonBody, validatedBody } from "../handler.ts";
import { checkNewHealth, resumeWaiting } from "../health/checks.ts";
import { badRequest, notificationExists, notificationMissing, Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { lookUpRelayer, servedKind } from "../transaction/lookup.ts";
import { findResource, resourceWithoutKey } from "./resources.ts";

/** Returns a relayer with a patch. @throws Refusal */
type PatchRelayer = (state: ServerState, relayer: Resource, body: JsonValue) => JsonObject;

export function relayerUpdateHandler(patch: PatchRelayer, show: (relayer: JsonObject) => JsonObject): Handler {
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
export const updateRelayer = relayerUpdateHandler(patchedRelayer, withMaskedRpcUrls);

/** Returns a relayer after a merge patch (interface 4.2, facts 4.5), validated as sent and merged. @throws Refusal */
function patchedRelayer({ notifications }: ServerState, relayer: Resource, body: JsonValue): JsonObject {
  const kind = servedKind(relayer);
  const patch = validatedBody(updateRelayerSchema, body);
  if (!isJsonObject(body) || patch.name === null) throw badRequest();
  if (body.policies) validatedBody(policySchemas[kind], body.policies);
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
  const merged = validatedBody(policySchemas[kind], policies);
  if (kind === "stellar" && merged.fee_payment_strategy === undefined) throw badRequest();
}

/** Creates a relayer, with the checks of facts 3.1 in order. The response precedes the health checks. */
export function relayerCreateHandler(read: (request: WireRequest) => JsonObject): Handler {
  return async ({ request, store, random, now }) => {
    const body = read(request);
    return store.change((state) => {
      const named: Resource = { ...body, id: typeof body.id === "string" ? body.id : random.uuid() };
      refuseTaken(state, named);
      const address = addressFor(servedKind(named), state.relayers.size() + 1);
      const created = { ...named, address, system_disabled: false };
      state.relayers.put(created);
      checkNewHealth(state, created, now);
      return { status: 201, data: withMaskedRpcUrls(created) };
    });
  };
}

export const createRelayer: Handler = relayerCreateHandler((request) => {
  const body = handlerJsonBody(request);
  const { policies: _, custom_rpc_urls: urls, ...rest } = validatedBody(createRelayerSchema, body);
  const policies = firstPolicies(rest.network_type, (isJsonObject(body) && body.policies) || null);
  return { ...rest, ...(policies && { policies }), ...(urls && { custom_rpc_urls: urls.map(withWeight) }) };
});

function firstPolicies(kind: NetworkKind, policies: JsonValue): JsonObject | undefined {
  if (policies === null && kind !== "stellar") return undefined;
  const validated = validatedBody(policySchemas[kind], policies);
  if (policyGaps(kind, validated).length > 0) throw badRequest();
  return validated;
}

function refuseTaken(state: ServerState, body: Resource): void {
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

/** Reads the new fields of a notification; absent fields are kept. @throws Refusal */
type ReadNotification<T = JsonObject> = (request: WireRequest) => T;

/** Creates a notification (interface 4.5), with a UUID without an ID (facts 6). */
export function notificationCreateHandler(read: ReadNotification<JsonObject & { id?: string }>): Handler {
  return async ({ request, store, random }) => {
    const body = read(request);
    return store.change(({ notifications }) => {
      const id = body.id ?? random.uuid();
      if (notifications.get(id)) throw notificationExists();
      const created = { type: "webhook", ...body, id };
      notifications.put(created);
      return { status: 201, data: resourceWithoutKey(created) };
    });
  };
}

/** Updates a notification (interface 4.6). @param validate validates the body after the notification is found */
export function notificationUpdateHandler(
  read: ReadNotification,
  validate: (patch: JsonObject) => void = () => {},
): Handler {
  return async ({ ids: [id = ""], request, store }) => {
    const patch = read(request);
    return store.change(({ notifications }) => {
      const old = notifications.get(id);
      if (!old) throw notificationMissing(id);
      validate(patch);
      const updated = { ...old, ...patch };
      notifications.put(updated);
      return { data: resourceWithoutKey(updated) };
    });
  };
}

export const createNotification = notificationCreateHandler((request) =>
  validatedBody(createNotificationSchema, handlerJsonBody(request)),
);

export const updateNotification = notificationUpdateHandler((request) => {
  const { signing_key, ...patch } = validatedBody(updateNotificationSchema, handlerJsonBody(request));
  return { ...patch, ...(typeof signing_key === "string" ? { signing_key: signing_key } : {}) };
});

export interface NewSigner {
  id?: string | undefined;
  type: SignerType;
  config: JsonObject;
}

/** Creates a signer, with a UUID without an ID (facts 8.1). */
export function signerCreateHandler(read: (request: WireRequest) => NewSigner): Handler {
  return async ({ request, store, random }) => {
    const { id = random.uuid(), type, config } = read(request);
    return store.change(({ signers }) => {
      if (signers.get(id)) throw new Refusal(500, "An unknown error occurred");
      const created = {
        id,
        type: type === "plain" ? "local" : type,
        config: withoutSecrets(signerFields[type], config),
      };
      signers.put(created);
      return { status: 201, data: created };
    });
  };
}

export const createSigner = signerCreateHandler((request) => {
  const body = handlerJsonBody(request);
  const type = SIGNER_TYPES.find((each) => objectIn(body).type === each);
  if (type === undefined) throw badRequest();
  return validatedBody(createSignerSchemas[type], body) as NewSigner;
});

/** Returns a config for a response: without secrets, and null for unset fields (facts 8.1). */
function withoutSecrets(fields: readonly SignerField[], config: JsonValue): JsonObject {
  const given = objectIn(config);
  const shown = fields.filter(({ secret }) => secret !== true);
  return Object.fromEntries(
    shown.map(({ name, fields: inner }) => [
      name,
      inner ? withoutSecrets(inner, given[name] ?? null) : (given[name] ?? null),
    ]),
  );
}
