import type { JsonValue } from "../../contract/json.ts";
import type { RpcConfig } from "../../contract/resources/relayer.ts";
import { updatingNetworkBy } from "../handlers/networks.ts";
import { rpcConfig } from "./relayers.ts";
import { fits, listOf, optional, ShapeError, struct, text } from "./serde.ts";
import { typedBody } from "./typed-body.ts";

const readUpdate = struct("UpdateNetworkRequest", { rpc_urls: optional(listOf(rpcUrl)) });

/** Reads a bare URL, or a URL with its weight (facts 8.2). */
function rpcUrl(value: JsonValue): string | RpcConfig {
  if (!fits(text, value) && !fits(rpcConfig, value)) {
    throw new ShapeError("data did not match any variant of untagged enum RpcUrlEntry");
  }
  return value as string | RpcConfig;
}

/** Updates a network. A body of null counts as one without fields. */
export const updateNetwork = updatingNetworkBy((request) =>
  typedBody(request, (value) => (value === null ? undefined : readUpdate(value).rpc_urls)),
);
