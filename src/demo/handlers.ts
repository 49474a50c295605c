import type { OperationId } from "../contract/operations.ts";
import type { Handler } from "./handler.ts";
import { getBalance } from "./handlers/balance.ts";
import { cancelTransaction, deletePendingTransactions } from "./handlers/cancel-transaction.ts";
import { getTransaction, getTransactionByNonce } from "./handlers/get-transaction.ts";
import { callNode } from "./handlers/json-rpc.ts";
import { listTransactions } from "./handlers/list-transactions.ts";
import { getNetwork, listNetworks, updateNetwork } from "./handlers/networks.ts";
import { notServed } from "./handlers/not-served.ts";
import { deleteNotification, getNotification, listNotifications } from "./handlers/notifications.ts";
import { getRelayerStatus } from "./handlers/relayer-status.ts";
import { deleteRelayer, getRelayer, listRelayers } from "./handlers/relayers.ts";
import { getMetric, health, listMetrics, ready, scrapeMetrics } from "./handlers/server.ts";
import type { judgingHandlers } from "./judging-handlers.ts";

/** A handler for every operation of the contract; the compiler names one that is missing. */
export const handlers: Record<OperationId, Handler> = {
  "relayers.list": listRelayers,
  "relayers.get": getRelayer,
  "relayers.create": judging("relayers.create"),
  "relayers.update": judging("relayers.update"),
  "relayers.delete": deleteRelayer,
  "relayers.status": getRelayerStatus,
  "relayers.balance": getBalance,
  "relayers.rpc": callNode,
  "relayers.sign": judging("relayers.sign"),
  "relayers.sign-typed-data": judging("relayers.sign-typed-data"),
  "relayers.sign-transaction": judging("relayers.sign-transaction"),
  "tx.delete-pending": deletePendingTransactions,
  "tx.list": listTransactions,
  "tx.get": getTransaction,
  "tx.get-by-nonce": getTransactionByNonce,
  "tx.send": judging("tx.send"),
  "tx.replace": judging("tx.replace"),
  "tx.cancel": cancelTransaction,
  "tx.quote": judging("tx.quote"),
  "tx.build": judging("tx.build"),
  "notifications.list": listNotifications,
  "notifications.get": getNotification,
  "notifications.create": judging("notifications.create"),
  "notifications.update": judging("notifications.update"),
  "notifications.delete": deleteNotification,
  "signers.list": notServed,
  "signers.get": notServed,
  "signers.create": notServed,
  "signers.update": notServed,
  "signers.delete": notServed,
  "networks.list": listNetworks,
  "networks.get": getNetwork,
  "networks.update": updateNetwork,
  "plugins.list": notServed,
  "plugins.get": notServed,
  "plugins.update": notServed,
  "plugins.call": notServed,
  "plugins.call-route": notServed,
  "plugins.call-get": notServed,
  "plugins.call-get-route": notServed,
  "server.health": health,
  "server.ready": ready,
  "server.metrics": listMetrics,
  "server.metric": getMetric,
  "server.metrics-scrape": scrapeMetrics,
};

/** It is loaded with the first request for one of these. */
function judging(id: keyof typeof judgingHandlers): Handler {
  return async (call) => (await import("./judging-handlers.ts")).judgingHandlers[id](call);
}
