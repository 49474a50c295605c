import { readId } from "../../../command-support/ids.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { operations } from "../../../contract/operations.ts";
import { givenTextFlag } from "../../../contract/problems.ts";
import type { SponsoredVerb } from "../../../contract/relayer-rules.ts";
import type { SponsoredKind } from "../../../contract/requests.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { builtView, quoteView } from "../../../views/policy-field.ts";
import type { CommandFile, Described } from "../../command.ts";
import { getView } from "../../get-command.ts";
import { senderArgument } from "../arguments.ts";
import { type BodyFlags, bodyFromFlags, defineSponsoredBody } from "../body/body-flags.ts";

interface Sponsored {
  relayerId: string;
  /** Absent if unclear; then nothing is sent. */
  kind: SponsoredKind | undefined;
  body: JsonObject;
}

interface SponsoredCommand extends Described {
  verb: SponsoredVerb;
  resource: ResourceView;
  /** `-o name` prints the first present field. */
  names: readonly string[];
}

export function sponsoredCommand({ verb, names, ...described }: SponsoredCommand): CommandFile<BodyFlags, Sponsored> {
  const { resource } = described;
  return {
    ...described,
    sends: "read",
    ends: { conflict: "the relayer is paused or disabled" },
    args: [{ ...senderArgument, description: "ID of the relayer that would send the transaction" }],
    define: (command) => void command.include(defineSponsoredBody),
    async prepare(call, problems) {
      const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
      const { networkType: asked } = call.flags;
      const typed = await bodyFromFlags(call, problems, givenTextFlag);
      // zod is slow to load, and help does not need it.
      const { validateSponsoredBody } = await import("./sponsored-body.ts");
      const kind = validateSponsoredBody(problems, typed, isNetworkKind(asked) ? asked : undefined, verb);
      return { relayerId, kind, body: typed.body };
    },
    run: (call, sponsored) =>
      getView(call, {
        resource,
        request: {
          operation: operations[`tx.${verb}`],
          parameters: { relayer_id: sponsored.relayerId },
          body: sponsored.body,
        },
        async get(client) {
          const { refuseSponsoredBody } = await import("./sponsored-body.ts");
          await refuseSponsoredBody(call, sponsored, verb);
          return await client.tx[verb](sponsored.relayerId, sponsored.body);
        },
        nameOf: (found) => String(names.map((name) => found[name] ?? "").find((value) => value !== "") ?? ""),
      }),
  };
}

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
});

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
});
