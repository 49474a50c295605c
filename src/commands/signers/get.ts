import { signerView } from "../../views/signer.ts";
import { createGetCommand } from "../get-command.ts";
import { signerArgument } from "../resource-arguments.ts";

export const signersGet = createGetCommand({
  noun: "signers",
  summary: "Show signers",
  description: "Show one signer: its type, and the parts of its config that are not secret.",
  examples: [
    "relayctl signers get treasury-kms",
    "relayctl signers get treasury-kms -o json",
    "relayctl signers get treasury-kms --fields type",
  ],
  resource: signerView,
  argument: signerArgument,
  get: (client, id) => client.signers.get(id),
});
