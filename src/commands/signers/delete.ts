import { readId } from "../../command-support/ids.ts";
import { performRemoval } from "../../command-support/perform-removal.ts";
import type { Session } from "../../command-support/session/session.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { refuseWhileUsed } from "../flags/relayers-using.ts";
import { signerArgument } from "./argument.ts";

/** `relayctl signers delete <id>` (facts 8.1). */
export const signersDelete: CommandFile<object, string> = {
  summary: "Delete a signer that no relayer uses",
  sends: "remove",
  ends: { conflict: "in use by a relayer" },
  examples: [
    "relayctl signers delete old-key --yes",
    "relayctl signers delete old-key --yes -o name",
    "relayctl signers delete old-key --dry-run",
  ],
  args: [signerArgument],
  define(command) {
    command.description(
      "Delete a signer. If relayers use the signer, nothing is deleted and those relayers are listed. A key that is stored only in the service is lost with its signer.",
    );
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    performRemoval(call, {
      request: { operation: operations["signers.delete"], parameters: { signer_id: id } },
      what: "signer",
      id,
      readFirst: (session) => isUnused(session, id),
      send: (client) => client.signers.delete(id),
      readAgain: (session) => commandLine(...session.flags, "signers", "get", id),
    }),
};

async function isUnused({ client, flags }: Session, id: string): Promise<readonly string[]> {
  await refuseWhileUsed(client, {
    field: "signer_id",
    id,
    use: `use signer ${id}`,
    hint: (relayer) => commandLine(...flags, "relayers", "get", relayer),
  });
  return ["no relayer uses it"];
}
