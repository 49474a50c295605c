import type { OperationId } from "../contract/operations.ts";
import type { Handler } from "./handler.ts";
import { callPlugin } from "./handlers/call-plugin.ts";
import { createNotification, updateNotification } from "./handlers/change-notifications.ts";
import { createRelayer } from "./handlers/create-relayer.ts";
import { createSigner } from "./handlers/create-signer.ts";
import { replaceTransaction } from "./handlers/replace-transaction.ts";
import { sendTransaction } from "./handlers/send-transaction.ts";
import { sign, signTransaction, signTypedData } from "./handlers/sign.ts";
import { buildTransaction, quoteTransaction } from "./handlers/sponsored.ts";
import { updatePlugin } from "./handlers/update-plugin.ts";
import { updateRelayer } from "./handlers/update-relayer.ts";

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
