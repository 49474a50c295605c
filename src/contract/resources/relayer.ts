import type { JsonInteger, JsonObject, JsonValue } from "../json.ts";
import type { PolicyPatch } from "../policy.ts";
import { anything, fields, flag, listOf, nullish, object, text } from "../reply/shape.ts";

/** interface 2.3. `weight` is 0 to 100, and 100 if absent (facts 4.4). */
export interface RpcConfig {
  url: string;
  weight?: JsonInteger;
}

/**
 * A relayer as the service returns it (interface 2.1, facts 4.1). Everything but the ID may be absent or null, and
 * unknown members are kept.
 */
export type Relayer = RelayerFields & JsonObject;

/** The members that are documented; nothing but the id is sure to be there. */
export interface RelayerFields {
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

/** `disabled_reason` of interface 2.1: `details` is a string, or for `Multiple` a list of reasons (facts 4.2). */
export interface DisabledReason {
  type: string;
  details: JsonValue;
}

/** A response is loose: unknown members are kept, no set of values is closed, only the ID is required (promises 8). */
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
  disabled_reason: nullish(fields),
  custom_rpc_urls: nullish(listOf(anything)),
  policies: nullish(fields),
});

/** interface 4.2: every member is optional; absent keeps, null clears (facts 4.5). */
export interface UpdateRelayerRequest {
  name?: string | null;
  paused?: boolean;
  notification_id?: string | null;
  custom_rpc_urls?: RpcConfig[] | null;
  policies?: PolicyPatch | null;
}
