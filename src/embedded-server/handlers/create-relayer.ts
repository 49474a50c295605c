import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { missingPolicies } from "../../contract/policy.ts";
import { createRelayerSchema, policySchemas } from "../../contract/requests.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { jsonBody, valid } from "../body.ts";
import { hexDigits } from "../digits.ts";
import type { Handler } from "../handler.ts";
import { checkNew } from "../health/checks.ts";
import { badRequest, Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { kindOf } from "../transaction/lookup.ts";
import { findResource } from "./resources.ts";
import { withWeight } from "./update-relayer.ts";

/** Creates a relayer, with the checks of facts 3.1 in order. The response precedes the health checks. */
export function creatingBy(read: (request: WireRequest) => JsonObject): Handler {
  return async ({ request, store, random, now }) => {
    const body = read(request);
    return store.change((state) => {
      const named: Resource = { ...body, id: typeof body.id === "string" ? body.id : random.uuid() };
      refuse(state, named);
      const address = addressFor(kindOf(named), state.relayers.size() + 1);
      const created = { ...named, address, system_disabled: false };
      state.relayers.put(created);
      checkNew(state, created, now);
      return { status: 201, data: withMaskedRpcUrls(created) };
    });
  };
}

export const createRelayer: Handler = creatingBy((request) => {
  const body = jsonBody(request);
  const { policies: _, custom_rpc_urls: urls, ...rest } = valid(createRelayerSchema, body);
  const policies = firstPolicies(rest.network_type, (isJsonObject(body) && body.policies) || null);
  return { ...rest, ...(policies && { policies }), ...(urls && { custom_rpc_urls: urls.map(withWeight) }) };
});

function firstPolicies(kind: NetworkKind, policies: JsonValue): JsonObject | undefined {
  if (policies === null && kind !== "stellar") return undefined;
  const validated = valid(policySchemas[kind], policies);
  if (missingPolicies(kind, validated).length > 0) throw badRequest();
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
