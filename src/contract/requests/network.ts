import * as z from "zod/mini";
import { MAX_NETWORK_WEIGHT } from "../network.ts";
import { integer } from "./integer.ts";
import { rpcUrlSchema } from "./rpc-url.ts";

/** service-facts 8.2: the RPC URLs and nothing else can be changed, and there is at least one. A bare URL is judged as `{url}`. */
export const updateNetworkSchema = z.strictObject({
  rpc_urls: z
    .array(
      z.strictObject({ url: rpcUrlSchema, weight: z.exactOptional(integer(0n, BigInt(MAX_NETWORK_WEIGHT))) }),
      "a list of RPC URLs",
    )
    .check(z.minLength(1, "needs at least one RPC URL")),
});
