import { idProblem, newIdProblem } from "../id.ts";
import { MAX_U64 } from "../largest-integers.ts";
import { type FieldTable, MAX_RELAYER_WEIGHT, ordered, type SentField, sentFields } from "../resources/field.ts";
import type { Value } from "../resources/field-types.ts";
import { MAX_NETWORK_WEIGHT } from "../resources/network.ts";
import { notificationFields } from "../resources/notification.ts";
import { pluginFields } from "../resources/plugin.ts";
import { relayerFields } from "../resources/relayer.ts";
import { isMasked, MASKED_URL, maskRpcUrl } from "../rpc-url.ts";
import { integer, problemCheck } from "./schema-parts.ts";
import * as z from "./zod.ts";

/** Hosts that the service always rejects in the RPC URLs of relayers and networks (facts 4.4). */
const REFUSED_HOSTS = ["metadata.google.internal", "169.254.169.254", "[fd00:ec2::254]", "0.0.0.0", "[::]"];

/** The URL of a relayer's node (facts 4.4). */
const relayerUrlSchema = urlSchema((_, scheme) => `Invalid URL scheme '${scheme}': only http and https are allowed`);

/** The URL of a network's node (facts 8.2). */
const networkUrlSchema = urlSchema(
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

const rpcConfigSchema = z.strictObject({
  url: relayerUrlSchema,
  weight: z.exactOptional(
    integer(0n, BigInt(MAX_RELAYER_WEIGHT), `RPC URL weight must be in range 0-${MAX_RELAYER_WEIGHT}`),
  ),
});

const SCHEMAS: Readonly<Record<SentField["form"], (field: SentField) => z.ZodMiniType>> = {
  text: ({ rule }) => z.string().check(z.minLength(1, rule ?? "cannot be empty")),
  id: () => z.string().check(problemCheck(idProblem)),
  "new id": () => z.string().check(problemCheck(newIdProblem)),
  word: ({ words = [], rule }) => z.enum([...words], rule),
  flag: () => z.boolean("true or false"),
  "rpc urls": () => z.array(rpcConfigSchema),
  policies: () => z.looseObject({}),
  "any text": () => z.string(),
  url: ({ rule }) => z.string().check(z.refine((url) => URL.canParse(url), rule)),
  seconds: ({ rule }) => integer(1n, MAX_U64, rule),
  object: () => z.looseObject({}),
};

/** The schema of a field: required, or absent; absent or null, which the real service reads alike in a creation. */
type SchemaOf<S> = S extends { needed: string } | { otherwise: boolean }
  ? z.ZodMiniType<Value<S>>
  : S extends { null: "accepted" | "refused" }
    ? z.ZodMiniExactOptional<z.ZodMiniNullable<z.ZodMiniType<Value<S>>>>
    : z.ZodMiniExactOptional<z.ZodMiniType<Value<S>>>;

type Schemas<T, Use extends "create" | "update"> = {
  [K in keyof T as T[K] extends Record<Use, SentField> ? K : never]: T[K] extends Record<Use, infer S>
    ? SchemaOf<S>
    : never;
};

/** Returns the schema of a request that creates or updates a resource. */
function buildSchema<const T extends FieldTable, Use extends "create" | "update">(table: T, use: Use) {
  const schemas = sentFields(table, use).map(([name, field]) => [name, fieldSchema(field)] as const);
  return z.strictObject(Object.fromEntries(schemas) as Schemas<T, Use>);
}

function fieldSchema(field: NonNullable<FieldTable[string]["create" | "update"]>): z.ZodMiniType {
  const schema = SCHEMAS[field.form](field);
  if ("needed" in field || "otherwise" in field) return schema;
  const isNullable = field.null === "accepted" || field.null === "refused";
  return z.exactOptional(isNullable ? z.nullable(schema) : schema);
}

/** `policies` is validated separately, by the relayer's kind: see `policySchemas`. */
export const updateRelayerSchema = buildSchema(relayerFields, "update");

const CREATION = ordered(relayerFields, ["id", "name", "network", "network_type", "signer_id"]);

/** facts 3.1, with the words of its rules. `paused` is really required, and null counts as absent. */
export const createRelayerSchema = buildSchema(CREATION, "create");

export const createNotificationSchema = buildSchema(ordered(notificationFields, ["url"]), "create");

export const updateNotificationSchema = buildSchema(notificationFields, "update");

/** facts 8.3. Null would change nothing, and is rejected. */
export const updatePluginSchema = buildSchema(pluginFields, "update");

/** facts 8.2: only the RPC URLs can be changed, and there is at least one. A bare URL is validated as `{url}`. */
export const updateNetworkSchema = z.strictObject({
  rpc_urls: z
    .array(
      z.strictObject({ url: networkUrlSchema, weight: z.exactOptional(integer(0n, BigInt(MAX_NETWORK_WEIGHT))) }),
      "a list of RPC URLs",
    )
    .check(z.minLength(1, "rpc_urls must contain at least one RPC endpoint")),
});
