import { builtView } from "../../views/transaction/sponsored.ts";
import { sponsoredCommand } from "./sponsorship/sponsored.ts";

/** `relayctl tx build <relayer-id>` (facts 3.5), since v1.3. */
export const txBuild = sponsoredCommand({
  verb: "build",
  summary: "Build a transaction whose fee is paid in a token",
  description:
    "Build a Solana or Stellar transaction whose fee is paid in a token, for its user to sign. The relayer is checked first, and nothing is sent to the network. The transaction is valid for two minutes.",
  examples: [
    "relayctl tx build sol-pay -f sponsored.json",
    "relayctl tx build sol-pay -f sponsored.json -o json --query transaction",
    "relayctl tx build xlm-treasury --transaction-xdr AAAAAgAAAAA= --fee-token native --dry-run",
  ],
  resource: builtView,
  names: ["transaction"],
  request: (client, { relayerId, body }) => client.tx.build(relayerId, body),
});
