import { quoteView } from "../../views/transaction/sponsored.ts";
import { sponsoredCommand } from "./sponsorship/sponsored.ts";

/** `relayctl tx quote <relayer-id>` (facts 3.5), since v1.3. */
export const txQuote = sponsoredCommand({
  verb: "quote",
  summary: "Quote the fee of a transaction in a token",
  description:
    "Quote the fee of a Solana or Stellar transaction when the fee is paid in a token. The relayer is checked first, and nothing is sent to the network.",
  examples: [
    "relayctl tx quote xlm-treasury --transaction-xdr AAAAAgAAAAA= --fee-token native",
    "relayctl tx quote xlm-treasury -f sponsored.json -o json",
    "relayctl tx quote xlm-treasury -f sponsored.json --curl",
  ],
  resource: quoteView,
  names: ["fee_in_token", "estimated_fee"],
  request: (client, { relayerId, body }) => client.tx.quote(relayerId, body),
});
