import { isJsonObject } from "../contract/json.ts";
import { TELLING_MEMBER } from "../contract/replacement.ts";
import { RelayctlError } from "../errors.ts";
import type { ApiResult } from "./answer.ts";
import { asItActs } from "./json-rpc.ts";
import type { Link } from "./link.ts";
import { look } from "./look.ts";
import { readAny } from "./read.ts";
import type { ApiRequest } from "./request.ts";
import { type NetworksClient, networksClient } from "./resources/networks.ts";
import { type NotificationsClient, notificationsClient } from "./resources/notifications.ts";
import { type PluginsClient, pluginsClient } from "./resources/plugins.ts";
import { type RelayersClient, relayersClient } from "./resources/relayers.ts";
import { type ServerClient, serverClient } from "./resources/server.ts";
import { type SignersClient, signersClient } from "./resources/signers.ts";
import { type TransactionsClient, transactionsClient } from "./resources/transactions.ts";
import { write } from "./write.ts";
import type { WriteFacts } from "./write-facts.ts";

/**
 * A relayer service. Every method rejects with a RelayctlError whose `applied` says whether a write took effect, and no
 * write is sent again once its answer could have been lost.
 */
export interface Client {
  relayers: RelayersClient;
  tx: TransactionsClient;
  notifications: NotificationsClient;
  signers: SignersClient;
  networks: NetworksClient;
  plugins: PluginsClient;
  server: ServerClient;
  /** Any request, known to this client or not; its data is not judged, and the body of its reply is as received. */
  request(apiRequest: ApiRequest): Promise<ApiResult>;
}

export function createClient(link: Link): Client {
  return {
    relayers: relayersClient(link),
    tx: transactionsClient(link),
    notifications: notificationsClient(link),
    signers: signersClient(link),
    networks: networksClient(link),
    plugins: pluginsClient(link),
    server: serverClient(link),
    request: async (requested) => {
      const apiRequest = asItActs(requested);
      return apiRequest.operation.kind === "read"
        ? await readAny(apiRequest, link)
        : await write(apiRequest, link, await factsOf(apiRequest, link));
    },
  };
}

/** The hash from before, if it can be read: it shows whether a Stellar replacement changed anything (facts 5.4). */
async function factsOf(requested: ApiRequest, link: Link): Promise<WriteFacts> {
  const { operation, body } = requested;
  if (operation.id !== "tx.replace" || !isJsonObject(body) || !(TELLING_MEMBER.stellar in body)) return {};
  try {
    return { before: (await look(requested, link)).data };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return {};
  }
}
