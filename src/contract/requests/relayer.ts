import * as z from "zod/mini";
import { isMasked, MASKED_URL } from "../rpc-url.ts";
import { integer } from "./integer.ts";

const rpcConfigSchema = z.strictObject({
  url: z.string().check(
    z.refine((url) => !isMasked(url), MASKED_URL),
    z.refine((url) => /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url), "an http or https URL"),
  ),
  weight: z.exactOptional(integer(0n, 100n)),
});

/** `policies` is judged apart, by the relayer's kind: see `policySchemas`. */
export const updateRelayerSchema = z.strictObject({
  name: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "a name, or null")))),
  paused: z.exactOptional(z.boolean("true or false")),
  notification_id: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "an id, or null")))),
  custom_rpc_urls: z.exactOptional(z.nullable(z.array(rpcConfigSchema))),
  policies: z.exactOptional(z.nullable(z.looseObject({}))),
});
