import type { OperationId } from "../contract/operations.ts";
import type { Handler } from "./handler.ts";
import { cancelTransaction, deletePendingTransactions } from "./handlers/cancel-transaction.ts";
import { callNode } from "./handlers/json-rpc.ts";
import { getNetwork, listNetworks, updateNetwork } from "./handlers/networks.ts";
import { deleteNotification, getNotification, listNotifications } from "./handlers/notifications.ts";
import { getPlugin, listPlugins } from "./handlers/plugins.ts";
import { deleteRelayer, getBalance, getRelayer, getRelayerStatus, listRelayers } from "./handlers/relayers.ts";
import { getMetric, health, listMetrics, ready, scrapeMetrics } from "./handlers/server.ts";
import { deleteSigner, getSigner, listSigners, updateSigner } from "./handlers/signers.ts";
import { getTransaction, getTransactionByNonce, listTransactions } from "./handlers/transactions.ts";
import type { validatingHandlers } from "./validating-handlers.ts";

/** A handler for every operation of the contract; the compiler reports a missing one. */
export const handlers: Record<OperationId, Handler> = {
  "relayers.list": listRelayers,
  "relayers.get": getRelayer,
  "relayers.create": validating("relayers.create"),
  "relayers.update": validating("relayers.update"),
  "relayers.delete": deleteRelayer,
  "relayers.status": getRelayerStatus,
  "relayers.balance": getBalance,
  "relayers.rpc": callNode,
  "relayers.sign": validating("relayers.sign"),
  "relayers.sign-typed-data": validating("relayers.sign-typed-data"),
  "relayers.sign-transaction": validating("relayers.sign-transaction"),
  "tx.delete-pending": deletePendingTransactions,
  "tx.list": listTransactions,
  "tx.get": getTransaction,
  "tx.get-by-nonce": getTransactionByNonce,
  "tx.send": validating("tx.send"),
  "tx.replace": validating("tx.replace"),
  "tx.cancel": cancelTransaction,
  "tx.quote": validating("tx.quote"),
  "tx.build": validating("tx.build"),
  "notifications.list": listNotifications,
  "notifications.get": getNotification,
  "notifications.create": validating("notifications.create"),
  "notifications.update": validating("notifications.update"),
  "notifications.delete": deleteNotification,
  "signers.list": listSigners,
  "signers.get": getSigner,
  "signers.create": validating("signers.create"),
  "signers.update": updateSigner,
  "signers.delete": deleteSigner,
  "networks.list": listNetworks,
  "networks.get": getNetwork,
  "networks.update": updateNetwork,
  "plugins.list": listPlugins,
  "plugins.get": getPlugin,
  "plugins.update": validating("plugins.update"),
  "plugins.call": validating("plugins.call"),
  "plugins.call-route": validating("plugins.call"),
  "plugins.call-get": validating("plugins.call"),
  "plugins.call-get-route": validating("plugins.call"),
  "server.health": health,
  "server.ready": ready,
  "server.metrics": listMetrics,
  "server.metric": getMetric,
  "server.metrics-scrape": scrapeMetrics,
};

/** Returns a handler that is loaded with the first request for a validating operation. */
function validating(id: keyof typeof validatingHandlers): Handler {
  return async (call) => (await import("./validating-handlers.ts")).validatingHandlers[id](call);
}
