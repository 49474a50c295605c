import type { OperationId } from "../../contract/operations.ts";
import type { Handler } from "../handler.ts";
import { cancellingBy } from "../handlers/cancel-transaction.ts";
import { gettingBy } from "../handlers/get-transaction.ts";
import { sendingBy } from "../handlers/send-transaction.ts";
import { sponsoringBy } from "../handlers/sponsored.ts";
import { handlers } from "../handlers.ts";
import { anyTransaction } from "../transaction/lookup.ts";
import { createRelayer } from "./create-relayer.ts";
import { updateNetwork } from "./networks.ts";
import { createNotification, updateNotification } from "./notifications.ts";
import { paged } from "./paging.ts";
import { getRelayer, listRelayers, updateRelayer } from "./relayers.ts";
import { replaceTransaction } from "./replace-transaction.ts";
import { shownAs } from "./shown.ts";
import { serviceRelayer } from "./shown-relayer.ts";
import { serviceTransaction } from "./shown-transaction.ts";
import { sign, signTransaction, signTypedData } from "./sign.ts";
import { readSponsored } from "./sponsored-request.ts";
import { acceptAsService, flawOf } from "./transactions.ts";

/** What the real service does otherwise than the interface; where they agree, the handlers are the same. */
export const serviceHandlers: Readonly<Record<OperationId, Handler>> = {
  ...handlers,
  "relayers.list": listRelayers,
  "relayers.get": getRelayer,
  "relayers.create": shownAs(serviceRelayer, createRelayer),
  "relayers.update": updateRelayer,
  "tx.list": paged(shownAs(serviceTransaction, handlers["tx.list"])),
  "tx.get": shownAs(serviceTransaction, gettingBy(anyTransaction)),
  "tx.get-by-nonce": shownAs(serviceTransaction, handlers["tx.get-by-nonce"]),
  "tx.send": shownAs(serviceTransaction, sendingBy(acceptAsService, flawOf)),
  "tx.replace": shownAs(serviceTransaction, replaceTransaction),
  "tx.cancel": shownAs(serviceTransaction, cancellingBy(anyTransaction)),
  "tx.quote": sponsoringBy("quote", readSponsored("quote")),
  "tx.build": sponsoringBy("build", readSponsored("build")),
  "relayers.sign": sign,
  "relayers.sign-typed-data": signTypedData,
  "relayers.sign-transaction": signTransaction,
  "notifications.list": paged(handlers["notifications.list"]),
  "notifications.create": createNotification,
  "notifications.update": updateNotification,
  "networks.list": paged(handlers["networks.list"]),
  "networks.update": updateNetwork,
};
