import type { JsonObject } from "../../contract/json.ts";
import type { Network } from "../../contract/resources/network.ts";
import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { getNamed } from "../find.ts";
import { type ListBounds, type ListPage, listPages } from "../pagination/list-pages.ts";
import { NETWORK } from "../read-back/target.ts";
import { apiRequest, type WriteFacts } from "../request.ts";
import { write } from "../write.ts";

export interface NetworksClient {
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  /** @param id type and name, e.g. `evm:sepolia` */
  get(id: string, options?: { byRoute?: boolean }): Promise<ApiResult<Network>>;
  /** Changes `rpc_urls`, the only field that can be changed; the list is sent whole. */
  update(id: string, patch: JsonObject, facts?: WriteFacts): Promise<ApiResult<Network>>;
}

export function networksClient(clientContext: ClientContext): NetworksClient {
  return {
    list: (bounds = {}) => listPages(apiRequest("networks.list"), bounds, clientContext),
    get: (id, options) => getNamed(NETWORK, id, clientContext, options),
    update: (id, patch, facts) => write(apiRequest("networks.update", { network_id: id }, patch), clientContext, facts),
  };
}
