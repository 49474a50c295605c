import * as z from "zod/mini";
import { MAX_NETWORK_WEIGHT } from "../resources/network.ts";
import { integer } from "./integer.ts";
import { networkUrlSchema } from "./rpc-url.ts";

/** facts 8.2: only the RPC URLs can be changed, and there is at least one. A bare URL is validated as `{url}`. */
export const updateNetworkSchema = z.strictObject({
  rpc_urls: z
    .array(
      z.strictObject({ url: networkUrlSchema, weight: z.exactOptional(integer(0n, BigInt(MAX_NETWORK_WEIGHT))) }),
      "a list of RPC URLs",
    )
    .check(z.minLength(1, "rpc_urls must contain at least one RPC endpoint")),
});
