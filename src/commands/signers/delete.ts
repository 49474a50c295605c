import { commandLine } from "../../shell/shell-words.ts";
import { createDeleteCommand, refuseDeleteWhileUsed } from "../delete-command.ts";
import { signerArgument } from "../resource-arguments.ts";

export const signersDelete = createDeleteCommand({
  noun: "signers",
  summary: "Delete a signer that no relayer uses",
  description:
    "Delete a signer. If relayers use the signer, nothing is deleted and those relayers are listed. A key that is stored only in the service is lost with its signer.",
  examples: [
    "relayctl signers delete old-key --yes",
    "relayctl signers delete old-key --yes -o name",
    "relayctl signers delete old-key --dry-run",
  ],
  argument: signerArgument,
  conflict: "in use by a relayer",
  readFirst: ({ client, flags }, id) =>
    refuseDeleteWhileUsed(client, {
      field: "signer_id",
      id,
      use: `use signer ${id}`,
      unused: "no relayer uses it",
      hint: (relayer) => commandLine(...flags, "relayers", "get", relayer),
    }),
});
