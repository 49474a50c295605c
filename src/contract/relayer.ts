import type { JsonInteger, JsonObject, JsonValue } from "./json.ts";
import type { PolicyPatch } from "./policy.ts";
import { anything, flag, listOf, members, nullish, object, text } from "./shape.ts";

/** interface.md, RpcConfig. `weight` is 0 to 100, 100 when absent (service-facts 4.4). */
export interface RpcConfig {
  url: string;
  weight?: JsonInteger;
}

/**
 * A relayer as the service answers it (interface.md, Relayer; service-facts 4.1). Everything but the id may be absent
 * or null, and members that are not named here are kept.
 */
export type Relayer = RelayerMembers & JsonObject;

/** The members that are documented; nothing but the id is sure to be there. */
export interface RelayerMembers {
  id: string;
  name?: string | null;
  /** The network's name, as `sepolia`. */
  network?: string | null;
  /** `evm`, `solana`, `stellar`, or a kind that came later. */
  network_type?: string | null;
  address?: string | null;
  signer_id?: string | null;
  notification_id?: string | null;
  /** The operator's flag. */
  paused?: boolean | null;
  /** The service's own flag, set and cleared by its checks. */
  system_disabled?: boolean | null;
  /** A DisabledReason. */
  disabled_reason?: JsonValue;
  /** RpcConfigs; the path and query of each URL are masked by services from v1.4 on. */
  custom_rpc_urls?: JsonValue;
  /** The policy of the relayer's kind; amounts in its smallest unit, a `bigint` above 2^53. */
  policies?: JsonValue;
}

/** interface.md, Relayer, `disabled_reason`: `details` is a string, or for `Multiple` a list of reasons (service-facts 4.2). */
export interface DisabledReason {
  type: string;
  details: JsonValue;
}

/** A reply is loose: unknown members kept, no closed enums, nothing but the id required (design 8). */
export const relayerShape = object({
  id: text,
  name: nullish(text),
  network: nullish(text),
  network_type: nullish(text),
  address: nullish(text),
  signer_id: nullish(text),
  notification_id: nullish(text),
  paused: nullish(flag),
  system_disabled: nullish(flag),
  disabled_reason: nullish(members),
  custom_rpc_urls: nullish(listOf(anything)),
  policies: nullish(members),
});

/** interface.md, Update a relayer: every member is optional; absent keeps, null clears (service-facts 4.5). */
export interface UpdateRelayerRequest {
  name?: string | null;
  paused?: boolean;
  notification_id?: string | null;
  custom_rpc_urls?: RpcConfig[] | null;
  policies?: PolicyPatch | null;
}
