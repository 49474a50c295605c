import * as z from "zod/mini";
import { isMasked, MASKED_URL } from "../rpc-url.ts";
import { saying } from "./saying.ts";

/** service-facts 4.4: hosts that the service always refuses, of a relayer's RPC URL and of a network's. */
const REFUSED_HOSTS = ["metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "0.0.0.0", "[::]"];

/** The URL of a node as a request may hold it. */
export const rpcUrlSchema = z.string().check(saying(urlProblem));

function urlProblem(url: string): string | undefined {
  if (isMasked(url)) return MASKED_URL;
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return "an http or https URL";
  const { hostname } = new URL(url);
  return REFUSED_HOSTS.includes(hostname) ? `the service refuses the host ${hostname}` : undefined;
}
