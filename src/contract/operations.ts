import type { Operation } from "./operation.ts";
import {
  notificationsCreate,
  notificationsGet,
  notificationsList,
  notificationsUpdate,
} from "./operations/notifications.ts";
import { relayersGet, relayersList, relayersUpdate } from "./operations/relayers.ts";
import { txGet, txReplace } from "./operations/transactions.ts";

/** Every operation that this tool knows, by its id. Maps with the same keys let the compiler name what is missing. */
export const operations = {
  "relayers.list": relayersList,
  "relayers.get": relayersGet,
  "relayers.update": relayersUpdate,
  "tx.get": txGet,
  "tx.replace": txReplace,
  "notifications.list": notificationsList,
  "notifications.get": notificationsGet,
  "notifications.create": notificationsCreate,
  "notifications.update": notificationsUpdate,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
