import { ordered } from "../resources/field.ts";
import { MAX_NETWORK_WEIGHT } from "../resources/network.ts";
import { notificationFields } from "../resources/notification.ts";
import { pluginFields } from "../resources/plugin.ts";
import { relayerFields } from "../resources/relayer.ts";
import { schemaOf } from "./field-schemas.ts";
import { networkUrlSchema } from "./rpc-url.ts";
import { integer } from "./schema-parts.ts";
import * as z from "./zod.ts";

/** `policies` is validated separately, by the relayer's kind: see `policySchemas`. */
export const updateRelayerSchema = schemaOf(relayerFields, "update");

const CREATION = ordered(relayerFields, ["id", "name", "network", "network_type", "signer_id"]);

/** facts 3.1, with the words of its rules. `paused` is really required, and null counts as absent. */
export const createRelayerSchema = schemaOf(CREATION, "create");

export const createNotificationSchema = schemaOf(ordered(notificationFields, ["url"]), "create");

export const updateNotificationSchema = schemaOf(notificationFields, "update");

/** facts 8.3. Null would change nothing, and is rejected. */
export const updatePluginSchema = schemaOf(pluginFields, "update");

/** facts 8.2: only the RPC URLs can be changed, and there is at least one. A bare URL is validated as `{url}`. */
export const updateNetworkSchema = z.strictObject({
  rpc_urls: z
    .array(
      z.strictObject({ url: networkUrlSchema, weight: z.exactOptional(integer(0n, BigInt(MAX_NETWORK_WEIGHT))) }),
      "a list of RPC URLs",
    )
    .check(z.minLength(1, "rpc_urls must contain at least one RPC endpoint")),
});
