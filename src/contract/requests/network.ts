import * as z from "zod/mini";
import { MAX_NETWORK_WEIGHT } from "../network.ts";
import { isMasked, MASKED_URL } from "../rpc-url.ts";
import { integer } from "./integer.ts";
import { saying } from "./saying.ts";

/** service-facts 4.4: hosts that no version with networks accepts. */
const REFUSED_HOSTS = ["metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "0.0.0.0", "[::]"];

const rpcUrl = z.string().check(saying(urlProblem));

function urlProblem(url: string): string | undefined {
  if (isMasked(url)) return MASKED_URL;
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return "an http or https URL";
  const { hostname } = new URL(url);
  return REFUSED_HOSTS.includes(hostname) ? `the service refuses the host ${hostname}` : undefined;
}

/** service-facts 8.2: the RPC URLs and nothing else can be changed, and there is at least one. A bare URL is judged as `{url}`. */
export const updateNetworkSchema = z.strictObject({
  rpc_urls: z
    .array(
      z.strictObject({ url: rpcUrl, weight: z.exactOptional(integer(0n, BigInt(MAX_NETWORK_WEIGHT))) }),
      "a list of RPC URLs",
    )
    .check(z.minLength(1, "needs at least one RPC URL")),
});
