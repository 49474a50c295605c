import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { RpcConfig } from "../../contract/resources/relayer.ts";
import { DEFAULT_WEIGHT } from "../../contract/rpc-url.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { type Handler, handlerJsonBody } from "../handler.ts";
import { checkHealthSoon, resumeWaiting } from "../health/checks.ts";
import { badRequest, Refusal } from "../refusal.ts";
import { findResource } from "./resources.ts";

/** Reads a network's new RPC URLs and validates their shape; undefined if the body has no fields. */
export type ReadRpcUrls = (request: WireRequest) => readonly (string | RpcConfig)[] | undefined;

/** Updates only RPC URLs, which are validated before the network is looked up (facts 8.2). */
export function networkUpdateHandler(read: ReadRpcUrls): Handler {
  return async ({ ids: [id = ""], request, store, now }) => {
    const given = read(request);
    if (given === undefined) throw new Refusal(400, "At least one field must be provided for update");
    if (given.length === 0) throw new Refusal(400, "rpc_urls must contain at least one RPC endpoint");
    const rpc_urls = given.map(rpcUrl);
    return store.change((state) => {
      const updated = { ...findResource(state, "networks", id), rpc_urls };
      state.networks.put(updated);
      resumeWaiting(state, now);
      checkHealthSoon(state, id, now);
      return { data: updated };
    });
  };
}

export const updateNetwork = networkUpdateHandler((request) => {
  const body = handlerJsonBody(request);
  if (!isJsonObject(body)) throw badRequest();
  const { rpc_urls = null, ...unknown } = body;
  if (Object.keys(unknown).length > 0) throw badRequest();
  if (rpc_urls === null) return undefined;
  if (!Array.isArray(rpc_urls)) throw badRequest();
  return rpc_urls.map(givenUrl);
});

/** Reads a URL with or without a weight, which only its byte limits, unlike a relayer's. */
function givenUrl(entry: JsonValue): RpcConfig {
  const { url, weight = DEFAULT_WEIGHT } = isJsonObject(entry) ? entry : { url: entry };
  const isWeight = typeof weight === "number" && Number.isInteger(weight) && weight >= 0 && weight <= 255;
  if (typeof url !== "string" || !isWeight) throw badRequest();
  return { url, weight };
}

function rpcUrl(entry: string | RpcConfig): JsonObject {
  const { url, weight = DEFAULT_WEIGHT } = typeof entry === "string" ? { url: entry } : entry;
  if (/^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url)) return { url, weight };
  const why = `Invalid URL scheme for ${url}: Only HTTP and HTTPS are supported`;
  throw new Refusal(400, `Invalid RPC URL configuration: ${why}`);
}
