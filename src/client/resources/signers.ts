import type { JsonObject } from "../../contract/json.ts";
import type { Signer } from "../../contract/resources/signer.ts";
import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { getNamed } from "../find.ts";
import { type ListBounds, type ListPage, listPages } from "../pagination/list-pages.ts";
import { SIGNER } from "../read-back/target.ts";
import { apiRequest, type WriteFacts } from "../request.ts";
import { createNamed, type Gone, remove } from "../write.ts";

export interface SignersClient {
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  get(id: string): Promise<ApiResult<Signer>>;
  /**
   * Creates a signer. Without an ID the client generates one, so that a lost response can be settled. No response ever
   * contains its secrets.
   */
  create(body: JsonObject, facts?: WriteFacts): Promise<ApiResult<Signer>>;
  delete(id: string): Promise<Gone>;
}

export function signersClient(clientContext: ClientContext): SignersClient {
  return {
    list: (bounds = {}) => listPages(apiRequest("signers.list"), bounds, clientContext),
    get: (id) => getNamed(SIGNER, id, clientContext),
    create: (body, facts) => createNamed("signers.create", body, clientContext, facts),
    delete: (id) => remove(apiRequest("signers.delete", { signer_id: id }), clientContext),
  };
}
