import * as z from "zod/mini";
import { MAX_NETWORK_WEIGHT } from "../network.ts";
import { integer } from "./integer.ts";
import { networkUrlSchema } from "./rpc-url.ts";

/** service-facts 8.2: the RPC URLs and nothing else can be changed, and there is at least one. A bare URL is judged as `{url}`. */
export const updateNetworkSchema = z.strictObject({
  rpc_urls: z
    .array(
      z.strictObject({ url: networkUrlSchema, weight: z.exactOptional(integer(0n, BigInt(MAX_NETWORK_WEIGHT))) }),
      "a list of RPC URLs",
    )
    .check(z.minLength(1, "rpc_urls must contain at least one RPC endpoint")),
});
