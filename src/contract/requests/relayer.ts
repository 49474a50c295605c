import * as z from "zod/mini";
import { idProblem, newIdProblem } from "../id.ts";
import { NETWORK_KINDS } from "../network-kind.ts";
import { integer } from "./integer.ts";
import { optional } from "./optional.ts";
import { relayerUrlSchema } from "./rpc-url.ts";
import { saying } from "./saying.ts";

const rpcConfigSchema = z.strictObject({
  url: relayerUrlSchema,
  weight: z.exactOptional(integer(0n, 100n, "RPC URL weight must be in range 0-100")),
});

/** `policies` is judged apart, by the relayer's kind: see `policySchemas`. */
export const updateRelayerSchema = z.strictObject({
  name: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "Name cannot be empty")))),
  paused: z.exactOptional(z.boolean("true or false")),
  notification_id: z.exactOptional(z.nullable(z.string().check(z.minLength(1, "an id, or null")))),
  custom_rpc_urls: z.exactOptional(z.nullable(z.array(rpcConfigSchema))),
  policies: z.exactOptional(z.nullable(z.looseObject({}))),
});

/** facts 3.1, with the words of its rules. `paused` is really required, and null counts as absent. */
export const createRelayerSchema = z.strictObject({
  id: optional(z.string().check(saying(newIdProblem))),
  name: z.string().check(z.minLength(1, "Name cannot be empty")),
  network: z.string().check(z.minLength(1, "Network cannot be empty")),
  network_type: z.enum(NETWORK_KINDS),
  signer_id: z.string().check(z.minLength(1, "Signer ID cannot be empty")),
  paused: z.boolean("true or false"),
  notification_id: optional(z.string().check(saying(idProblem))),
  custom_rpc_urls: optional(z.array(rpcConfigSchema)),
  policies: optional(z.looseObject({})),
});
