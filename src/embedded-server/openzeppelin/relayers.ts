import { isJsonObject, type JsonObject, type JsonValue, mergePatch } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { CRON_FORM } from "../../contract/policy/cron.ts";
import { missingPolicies, networkRule } from "../../contract/policy.ts";
import { policySchemas } from "../../contract/requests.ts";
import { DEFAULT_WEIGHT } from "../../contract/rpc-url.ts";
import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { findResource } from "../handlers/resources.ts";
import { retryWaiting } from "../health/checks.ts";
import { listReply } from "../paging.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { kindOf, relayerOf } from "../transaction/lookup.ts";
import { readPolicies } from "./policies.ts";
import { flag, listOf, loose, optional, type Read, reading, struct, text, whole } from "./serde.ts";
import { paged, serviceRelayer } from "./shown.ts";

export const listRelayers: Handler = paged(async ({ query, store, memo }) =>
  store.read(({ relayers }) => listReply(relayers, query, (relayer) => memo(serviceRelayer, relayer))),
);

export const getRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.read((state) => ({ data: serviceRelayer(relayerOf(state, id)) }));

/** Updates a relayer, with the checks of facts 4.5 in order. */
export const updateRelayer: Handler = async ({ ids: [id = ""], request, store, now }) => {
  const body = jsonBody(request);
  return store.change((state) => {
    const relayer = relayerOf(state, id);
    const patch = shaped("Invalid update request", () => readPatch(body));
    const policies = readPolicyPatch(kindOf(relayer), isJsonObject(body) ? body.policies : undefined);
    if (relayer.system_disabled === true) throw new Refusal(400, "Relayer is disabled");
    const patched = mergePatch(relayer, { ...(body as JsonObject), ...withUrls(patch), ...policies });
    refuseBroken(state, patched);
    const updated = { ...patched, id };
    state.relayers.put(updated);
    retryWaiting(state, now);
    return { data: serviceRelayer(updated) };
  });
};

export const rpcConfig = loose("RpcConfigHelper", { url: text, weight: optional(whole("u8", 255n)) });
const readPatch = struct("UpdateRelayerRequestRaw", {
  name: optional(text),
  paused: optional(flag),
  policies: (value: JsonValue) => value,
  notification_id: optional(text),
  custom_rpc_urls: optional(listOf(rpcConfig)),
});

function shaped<T>(prefix: string, read: () => T): T {
  return reading(read, ({ message }) => new Refusal(400, `${prefix}: ${message}`));
}

export const NAMES: Readonly<Record<NetworkKind, string>> = { evm: "EVM", solana: "Solana", stellar: "Stellar" };

/** Reads a policy patch, and numbers in strings. */
function readPolicyPatch(kind: NetworkKind, policies: JsonValue | undefined): JsonObject {
  if (policies === undefined || policies === null) return {};
  const prefix = `Invalid policy: Bad Request: Invalid ${NAMES[kind]} policy`;
  const read = shaped(prefix, () => (readPolicies[kind] as Read<JsonObject>)(policies));
  return { policies: { ...(policies as JsonObject), ...read } };
}

export function withUrls({ custom_rpc_urls: urls }: Pick<ReturnType<typeof readPatch>, "custom_rpc_urls">): JsonObject {
  if (!urls) return {};
  return { custom_rpc_urls: urls.map(({ url = "", weight = DEFAULT_WEIGHT }) => ({ url, weight })) };
}

/** Validates the whole relayer after the change (facts 3.1, 4.3, 4.4). */
function refuseBroken(state: ServerState, relayer: JsonObject): void {
  const { name, paused, notification_id: hook } = relayer;
  if (typeof hook === "string") findResource(state, "notifications", hook);
  if (name === undefined || paused === undefined) {
    throw new Refusal(400, `Invalid result after patch: missing field \`${name === undefined ? "name" : "paused"}\``);
  }
  refuseBrokenFields(relayer);
}

export function refuseBrokenFields(relayer: JsonObject): void {
  if (relayer.name === "") throw new Refusal(400, "Name cannot be empty");
  for (const entry of Array.isArray(relayer.custom_rpc_urls) ? relayer.custom_rpc_urls : []) refuseUrl(entry);
  const why = policyFault(kindOf(relayer as Resource), relayer);
  if (why !== undefined) throw new Refusal(400, `Invalid relayer policy: ${why}`);
}

function refuseUrl(entry: JsonValue): void {
  const { url, weight } = isJsonObject(entry) ? entry : {};
  const [, scheme, host] = /^([^:]*):\/\/([^/?#]*)/.exec(String(url)) ?? [];
  if (scheme !== "http" && scheme !== "https") {
    const why = `Invalid URL scheme '${scheme}': only http and https are allowed`;
    throw new Refusal(400, `Invalid RPC URL: ${scheme}://${host}/[path redacted]: ${why}`);
  }
  if (Number(weight) > 100) throw new Refusal(400, "RPC URL weight must be in range 0-100");
}

/** Returns the contract's message for whole policies, which is the service's (facts 4.3). */
function policyFault(kind: NetworkKind, { policies, network }: JsonObject): string | undefined {
  if (policies === undefined) {
    return kind === "stellar" ? "Stellar policy is required. fee_payment_strategy is required" : undefined;
  }
  const strange = kind === "solana" ? optionsFault(policies as JsonObject) : undefined;
  if (strange !== undefined) return strange;
  const [gap] = missingPolicies(kind, policies);
  if (gap) return gap.rule;
  const validated = policySchemas[kind].safeParse(policies);
  if (!validated.success) return validated.error.issues[0]?.message.replace(`: ${CRON_FORM}`, "");
  return networkRule(kind, network, policies as JsonObject);
}

/** Returns the fault in the options of the chosen strategy; other strategies' options are ignored. */
function optionsFault({ swap_config: swap }: JsonObject): string | undefined {
  const { strategy, jupiter_swap_options: options } = isJsonObject(swap) ? swap : {};
  if (!isJsonObject(options) || strategy === "jupiter-swap") return undefined;
  return "JupiterSwap options are only valid for JupiterSwap strategy";
}
