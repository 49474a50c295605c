import type { Operation } from "./operation.ts";
import * as networks from "./operations/networks.ts";
import * as notifications from "./operations/notifications.ts";
import * as plugins from "./operations/plugins.ts";
import * as relayers from "./operations/relayers.ts";
import * as server from "./operations/server.ts";
import * as signers from "./operations/signers.ts";
import * as transactions from "./operations/transactions.ts";

/**
 * Every operation of the service by its ID, except its API keys, which its authentication never uses (facts 3.10). Maps
 * with the same keys let the compiler report what is missing. A path without a parameter comes before one whose
 * parameter would match its last word.
 */
export const operations = {
  "relayers.list": relayers.relayersList,
  "relayers.get": relayers.relayersGet,
  "relayers.create": relayers.relayersCreate,
  "relayers.update": relayers.relayersUpdate,
  "relayers.delete": relayers.relayersDelete,
  "relayers.status": relayers.relayersStatus,
  "relayers.balance": relayers.relayersBalance,
  "relayers.rpc": relayers.relayersRpc,
  "relayers.sign": relayers.relayersSign,
  "relayers.sign-typed-data": relayers.relayersSignTypedData,
  "relayers.sign-transaction": relayers.relayersSignTransaction,
  "tx.delete-pending": transactions.txDeletePending,
  "tx.list": transactions.txList,
  "tx.get": transactions.txGet,
  "tx.get-by-nonce": transactions.txGetByNonce,
  "tx.send": transactions.txSend,
  "tx.replace": transactions.txReplace,
  "tx.cancel": transactions.txCancel,
  "tx.quote": transactions.txQuote,
  "tx.build": transactions.txBuild,
  "notifications.list": notifications.notificationsList,
  "notifications.get": notifications.notificationsGet,
  "notifications.create": notifications.notificationsCreate,
  "notifications.update": notifications.notificationsUpdate,
  "notifications.delete": notifications.notificationsDelete,
  "signers.list": signers.signersList,
  "signers.get": signers.signersGet,
  "signers.create": signers.signersCreate,
  "signers.update": signers.signersUpdate,
  "signers.delete": signers.signersDelete,
  "networks.list": networks.networksList,
  "networks.get": networks.networksGet,
  "networks.update": networks.networksUpdate,
  "plugins.list": plugins.pluginsList,
  "plugins.get": plugins.pluginsGet,
  "plugins.update": plugins.pluginsUpdate,
  "plugins.call": plugins.pluginsCall,
  "plugins.call-route": plugins.pluginsCallRoute,
  "plugins.call-get": plugins.pluginsCallGet,
  "plugins.call-get-route": plugins.pluginsCallGetRoute,
  "server.health": server.serverHealth,
  "server.ready": server.serverReady,
  "server.metrics": server.serverMetrics,
  "server.metric": server.serverMetric,
  "server.metrics-scrape": server.serverMetricsScrape,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
