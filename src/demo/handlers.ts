import type { OperationId } from "../contract/operations.ts";
import type { Handler } from "./handler.ts";
import { getBalance } from "./handlers/balance.ts";
import { cancelTransaction, deletePendingTransactions } from "./handlers/cancel-transaction.ts";
import { createRelayer } from "./handlers/create-relayer.ts";
import { getTransaction, getTransactionByNonce } from "./handlers/get-transaction.ts";
import { callNode } from "./handlers/json-rpc.ts";
import { listTransactions } from "./handlers/list-transactions.ts";
import { getNetwork, listNetworks, updateNetwork } from "./handlers/networks.ts";
import { notServed } from "./handlers/not-served.ts";
import {
  createNotification,
  deleteNotification,
  getNotification,
  listNotifications,
  updateNotification,
} from "./handlers/notifications.ts";
import { getRelayerStatus } from "./handlers/relayer-status.ts";
import { deleteRelayer, getRelayer, listRelayers, updateRelayer } from "./handlers/relayers.ts";
import { replaceTransaction } from "./handlers/replace-transaction.ts";
import { sendTransaction } from "./handlers/send-transaction.ts";
import { getMetric, health, listMetrics, ready, scrapeMetrics } from "./handlers/server.ts";
import { sign, signTransaction, signTypedData } from "./handlers/sign.ts";
import { buildTransaction, quoteTransaction } from "./handlers/sponsored.ts";

/** A handler for every operation of the contract; the compiler names one that is missing. */
export const handlers: Record<OperationId, Handler> = {
  "relayers.list": listRelayers,
  "relayers.get": getRelayer,
  "relayers.create": createRelayer,
  "relayers.update": updateRelayer,
  "relayers.delete": deleteRelayer,
  "relayers.status": getRelayerStatus,
  "relayers.balance": getBalance,
  "relayers.rpc": callNode,
  "relayers.sign": sign,
  "relayers.sign-typed-data": signTypedData,
  "relayers.sign-transaction": signTransaction,
  "tx.delete-pending": deletePendingTransactions,
  "tx.list": listTransactions,
  "tx.get": getTransaction,
  "tx.get-by-nonce": getTransactionByNonce,
  "tx.send": sendTransaction,
  "tx.replace": replaceTransaction,
  "tx.cancel": cancelTransaction,
  "tx.quote": quoteTransaction,
  "tx.build": buildTransaction,
  "notifications.list": listNotifications,
  "notifications.get": getNotification,
  "notifications.create": createNotification,
  "notifications.update": updateNotification,
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
