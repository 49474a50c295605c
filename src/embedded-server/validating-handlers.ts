import type { OperationId } from "../contract/operations.ts";
import type { Handler } from "./handler.ts";
import {
  createNotification,
  createRelayer,
  createSigner,
  updateNotification,
  updateRelayer,
} from "./handlers/change-resources.ts";
import { callPlugin, updatePlugin } from "./handlers/plugins.ts";
import { replaceTransaction } from "./handlers/replace-transaction.ts";
import { sendTransaction } from "./handlers/send-transaction.ts";
import { sign, signTransaction, signTypedData } from "./handlers/sign.ts";
import { buildTransaction, quoteTransaction } from "./handlers/sponsored.ts";

export const validatingHandlers = {
  "relayers.create": createRelayer,
  "relayers.update": updateRelayer,
  "relayers.sign": sign,
  "relayers.sign-typed-data": signTypedData,
  "relayers.sign-transaction": signTransaction,
  "tx.send": sendTransaction,
  "tx.replace": replaceTransaction,
  "tx.quote": quoteTransaction,
  "tx.build": buildTransaction,
  "notifications.create": createNotification,
  "notifications.update": updateNotification,
  "signers.create": createSigner,
  "plugins.update": updatePlugin,
  "plugins.call": callPlugin,
} satisfies Partial<Record<OperationId, Handler>>;
