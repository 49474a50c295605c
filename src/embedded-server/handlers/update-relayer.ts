import { isJsonObject, type JsonObject, type JsonValue, mergePatch } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { policySchemas, updateRelayerSchema } from "../../contract/requests.ts";
import type { RpcConfig } from "../../contract/resources/relayer.ts";
import { DEFAULT_WEIGHT, withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { jsonBody, valid } from "../body.ts";
import type { Handler } from "../handler.ts";
import { retryWaiting } from "../health/checks.ts";
import { badRequest, notificationMissing, relayerMissing } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { kindOf } from "../transaction/lookup.ts";

/** Updates a relayer (interface 4.2), even a disabled one: the interface does not say otherwise. */
export const updateRelayer: Handler = async ({ ids: [id = ""], request, store, now }) => {
  const body = jsonBody(request);
  return store.change((state) => {
    const { relayers, notifications } = state;
    const relayer = relayers.get(id);
    if (!relayer) throw relayerMissing(id);
    const patched = patchedRelayer(relayer, body, (notification) => notifications.get(notification) !== undefined);
    relayers.put(patched);
    retryWaiting(state, now);
    return { data: withMaskedRpcUrls(patched) };
  });
};

/** Returns a relayer after a merge patch (interface 4.2, facts 4.5), validated as sent and merged. @throws Refusal */
function patchedRelayer(relayer: Resource, body: JsonValue, knowsNotification: (id: string) => boolean): Resource {
  const kind = kindOf(relayer);
  const patch = valid(updateRelayerSchema, body);
  if (!isJsonObject(body) || patch.name === null) throw badRequest();
  if (body.policies) valid(policySchemas[kind], body.policies);
  const reported = patch.notification_id;
  if (reported && !knowsNotification(reported)) throw notificationMissing(reported);
  const urls = patch.custom_rpc_urls && { custom_rpc_urls: patch.custom_rpc_urls.map(withWeight) };
  const merged = mergePatch(relayer, { ...body, ...urls });
  refuseBrokenPolicies(kind, merged.policies ?? {});
  return { ...merged, id: relayer.id };
}

/** Adds the default weight, 100 (facts 4.4). */
export function withWeight({ url, weight = DEFAULT_WEIGHT }: RpcConfig): JsonObject {
  return { url, weight };
}

function refuseBrokenPolicies(kind: NetworkKind, policies: JsonValue): void {
  const merged = valid(policySchemas[kind], policies);
  if (kind === "stellar" && merged.fee_payment_strategy === undefined) throw badRequest();
}
