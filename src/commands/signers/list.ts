import { signerView } from "../../views/signer.ts";
import { createListCommand } from "../list-command.ts";

export const signersList = createListCommand({
  noun: "signers",
  summary: "List the signers and their types",
  description: "List the signers. No secrets are shown. A signer that was created with type plain has type local.",
  examples: [
    "relayctl signers list",
    "relayctl signers list --where type=aws_kms,google_cloud_kms",
    "relayctl signers list -o name",
  ],
  resource: signerView,
});
