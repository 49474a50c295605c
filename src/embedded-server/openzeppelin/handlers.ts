import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { OperationId } from "../../contract/operations.ts";
import type { SponsoredVerb } from "../../contract/relayer-rules.ts";
import type { Handler } from "../handler.ts";
import { cancellingBy } from "../handlers/cancel-transaction.ts";
import { sendingBy } from "../handlers/send-transaction.ts";
import { type ReadSponsored, sponsoringBy } from "../handlers/sponsored.ts";
import { gettingBy } from "../handlers/transactions.ts";
import { handlers } from "../handlers.ts";
import { anyTransaction } from "../transaction/lookup.ts";
import { createRelayer } from "./create-relayer.ts";
import { updateNetwork } from "./networks.ts";
import { createNotification, updateNotification } from "./notifications.ts";
import { paged } from "./paging.ts";
import { updatePlugin } from "./plugins.ts";
import { getRelayer, listRelayers, updateRelayer } from "./relayers.ts";
import { replaceTransaction } from "./replace-transaction.ts";
import { fits, listOf, optional, type Read, ShapeError, struct, text } from "./serde.ts";
import { serviceTransaction, shownAs } from "./shown.ts";
import { serviceRelayer } from "./shown-relayer.ts";
import { sign, signTransaction, signTypedData } from "./sign.ts";
import { createSigner } from "./signers.ts";
import { acceptAsService, flawOf } from "./transactions.ts";
import { typedBody } from "./typed-body.ts";
import { serviceStyle } from "./worker-style.ts";

const anything: Read<JsonValue> = (value) => value;

const SHAPES: readonly Read<unknown>[] = [
  struct("Solana", { transaction: text, fee_token: text }, { required: ["transaction", "fee_token"] }),
  struct(
    "Stellar",
    {
      transaction_xdr: optional(text),
      operations: optional(listOf(anything)),
      source_account: optional(text),
      fee_token: text,
    },
    { required: ["fee_token"] },
  ),
];

/** The service's own names for the two shapes together, which its messages contain (facts 3.5). */
const ENUMS: Record<SponsoredVerb, string> = {
  quote: "SponsoredTransactionQuoteRequest",
  build: "SponsoredTransactionBuildRequest",
};

/** The handlers of the real service, as far as it differs from the interface; otherwise the handlers are the same. */
export const serviceHandlers: Readonly<Record<OperationId, Handler>> = {
  ...handlers,
  "relayers.list": listRelayers,
  "relayers.get": getRelayer,
  "relayers.create": shownAs(serviceRelayer, createRelayer),
  "relayers.update": updateRelayer,
  "tx.list": paged(shownAs(serviceTransaction, handlers["tx.list"])),
  "tx.get": shownAs(serviceTransaction, gettingBy(anyTransaction)),
  "tx.get-by-nonce": shownAs(serviceTransaction, handlers["tx.get-by-nonce"]),
  "tx.send": shownAs(serviceTransaction, sendingBy(acceptAsService, flawOf, serviceStyle)),
  "tx.replace": shownAs(serviceTransaction, replaceTransaction),
  "tx.cancel": shownAs(serviceTransaction, cancellingBy(anyTransaction, serviceStyle)),
  "tx.quote": sponsoringBy("quote", readSponsored("quote")),
  "tx.build": sponsoringBy("build", readSponsored("build")),
  "relayers.sign": sign,
  "relayers.sign-typed-data": signTypedData,
  "relayers.sign-transaction": signTransaction,
  "notifications.list": paged(handlers["notifications.list"]),
  "notifications.create": createNotification,
  "notifications.update": updateNotification,
  "signers.list": paged(handlers["signers.list"]),
  "signers.create": createSigner,
  "plugins.list": paged(handlers["plugins.list"]),
  "plugins.update": updatePlugin,
  "networks.list": paged(handlers["networks.list"]),
  "networks.update": updateNetwork,
};

/** Returns a reader for either shape; the error for neither is a text (facts 1.8, 3.5). */
function readSponsored(verb: SponsoredVerb): ReadSponsored {
  return (request) =>
    typedBody(request, (value) => {
      if (!SHAPES.some((read) => fits(read, value)))
        throw new ShapeError(`data did not match any variant of untagged enum ${ENUMS[verb]}`);
      return value as JsonObject;
    });
}
