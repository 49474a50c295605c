import { isJsonObject, type JsonObject, type JsonValue, mergePatch } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import { policySchemas, updateRelayerSchema } from "../contract/requests.ts";
import type { RpcConfig } from "../contract/resources/relayer.ts";
import { DEFAULT_WEIGHT } from "../contract/rpc-url.ts";
import { valid } from "./body.ts";
import { badRequest, notificationMissing } from "./refusal.ts";
import { kindOf } from "./relayer-kind.ts";
import type { Resource } from "./state/collection.ts";

/**
 * Returns a relayer after a merge patch (interface 4.2, facts 4.5). Policies are validated by the relayer's kind, as
 * sent and as merged.
 * @throws Refusal
 */
export function patchedRelayer(
  relayer: Resource,
  body: JsonValue,
  knowsNotification: (id: string) => boolean,
): Resource {
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
