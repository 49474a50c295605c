import * as z from "zod/mini";
import { integer } from "./integer.ts";
import type { JsonInteger, JsonObject, JsonValue } from "./json.ts";
import type { PolicyPatch } from "./policy.ts";
import { isMasked, MASKED_URL } from "./rpc-url.ts";

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
export const relayerSchema = z.looseObject({
  id: z.string(),
  name: z.nullish(z.string()),
  network: z.nullish(z.string()),
  network_type: z.nullish(z.string()),
  address: z.nullish(z.string()),
  signer_id: z.nullish(z.string()),
  notification_id: z.nullish(z.string()),
  paused: z.nullish(z.boolean()),
  system_disabled: z.nullish(z.boolean()),
  disabled_reason: z.nullish(z.looseObject({})),
  custom_rpc_urls: z.nullish(z.array(z.any())),
  policies: z.nullish(z.looseObject({})),
});

export const rpcConfigSchema = z.strictObject({
  url: z.string().check(
    z.refine((url) => !isMasked(url), MASKED_URL),
    z.refine((url) => /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url), "an http or https URL"),
  ),
  weight: z.exactOptional(integer(0n, 100n)),
});

/** interface.md, Update a relayer: every member is optional; absent keeps, null clears (service-facts 4.5). */
export interface UpdateRelayerRequest {
  name?: string | null;
  paused?: boolean;
  notification_id?: string | null;
  custom_rpc_urls?: RpcConfig[] | null;
  policies?: PolicyPatch | null;
}

/** `policies` is judged apart, by the relayer's kind: see `policySchemas`. */
export const updateRelayerSchema = z.strictObject({
  name: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "a name, or null")))),
  paused: z.exactOptional(z.boolean("true or false")),
  notification_id: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "an id, or null")))),
  custom_rpc_urls: z.exactOptional(z.nullable(z.array(rpcConfigSchema))),
  policies: z.exactOptional(z.nullable(z.looseObject({}))),
});
