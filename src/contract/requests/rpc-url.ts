import { isMasked, MASKED_URL, maskRpcUrl } from "../rpc-url.ts";
import { problemCheck } from "./schema-parts.ts";
import * as z from "./zod.ts";

/** Hosts that the service always rejects in the RPC URLs of relayers and networks (facts 4.4). */
const REFUSED_HOSTS = ["metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "0.0.0.0", "[::]"];

/** The URL of a relayer's node (facts 4.4). */
export const relayerUrlSchema = urlSchema(
  (_, scheme) => `Invalid URL scheme '${scheme}': only http and https are allowed`,
);

/** The URL of a network's node (facts 8.2). */
export const networkUrlSchema = urlSchema(
  (url) => `Invalid URL scheme for ${maskRpcUrl(url)}: Only HTTP and HTTPS are supported`,
);

/** Returns the service's message for another scheme. */
type SchemeRule = (url: string, scheme: string) => string;

function urlSchema(schemeRule: SchemeRule): z.ZodMiniString {
  return z.string().check(problemCheck((url) => urlProblem(url, schemeRule)));
}

function urlProblem(url: string, schemeRule: SchemeRule): string | undefined {
  if (isMasked(url)) return MASKED_URL;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https"].includes(scheme)) return schemeRule(url, scheme);
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return "an http or https URL";
  const { hostname } = new URL(url);
  return REFUSED_HOSTS.includes(hostname) ? `the service refuses the host ${hostname}` : undefined;
}
