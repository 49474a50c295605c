import { setMaxListeners } from "node:events";
import { recover } from "../errors.ts";
import type { ClientContext } from "./client-context.ts";
import { withJsonRpcKind } from "./json-rpc.ts";
import { type ListBounds, type ListPage, listPages } from "./pagination/list-pages.ts";
import { readAny } from "./read.ts";
import { isStellarReplacement } from "./read-back/mismatch.ts";
import { readTarget } from "./read-back/target.ts";
import type { ApiRequest, ApiResult, WriteFacts } from "./request.ts";
import {
  type NetworksClient,
  type NotificationsClient,
  networksClient,
  notificationsClient,
  type PluginsClient,
  pluginsClient,
  type RelayersClient,
  relayersClient,
  type ServerClient,
  type SignersClient,
  serverClient,
  signersClient,
  type TransactionsClient,
  transactionsClient,
} from "./resources.ts";
import { sendWrite } from "./write.ts";

/**
 * A relayer service. Every method rejects with a RelayctlError whose `applied` says whether a write took effect, and never
 * retries a write whose response could have been lost. Besides the listed failures, any method can fail with auth,
 * rate_limited, server, network, or interrupted, and a write with declined if it is refused before it is sent.
 */
export interface Client {
  relayers: RelayersClient;
  tx: TransactionsClient;
  notifications: NotificationsClient;
  signers: SignersClient;
  networks: NetworksClient;
  plugins: PluginsClient;
  server: ServerClient;
  /**
   * Sends any request; the data is not validated, and the response body is as received.
   * @throws RelayctlError any failure of such a request
   */
  request(apiRequest: ApiRequest): Promise<ApiResult>;
  /**
   * Reads any list whose items have IDs, page by page; the request has `list` and no page.
   * @throws RelayctlError any failure to read
   */
  pages(apiRequest: ApiRequest, bounds?: ListBounds): AsyncIterable<ListPage>;
}

export function createClient(clientContext: ClientContext): Client {
  // Each pending request and each wait listens; Node would report more than ten listeners as a leak on stderr.
  setMaxListeners(0, clientContext.interrupt, clientContext.abandon);
  return {
    relayers: relayersClient(clientContext),
    tx: transactionsClient(clientContext),
    notifications: notificationsClient(clientContext),
    signers: signersClient(clientContext),
    networks: networksClient(clientContext),
    plugins: pluginsClient(clientContext),
    server: serverClient(clientContext),
    request: async (requested) => {
      const apiRequest = withJsonRpcKind(requested);
      return apiRequest.operation.kind === "read"
        ? await readAny(apiRequest, clientContext)
        : await sendWrite(apiRequest, clientContext, await readFacts(apiRequest, clientContext));
    },
    pages: (apiRequest, bounds = {}) => listPages(apiRequest, bounds, clientContext),
  };
}

/** Reads the previous hash, if possible: it shows whether a Stellar replacement changed anything (facts 5.4). */
async function readFacts(requested: ApiRequest, clientContext: ClientContext): Promise<WriteFacts> {
  if (!isStellarReplacement(requested)) return {};
  const found = await recover(readTarget(requested, clientContext), () => undefined);
  return found ? { before: found.data } : {};
}
