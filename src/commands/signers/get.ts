import { readId } from "../../command-support/ids.ts";
import { operations } from "../../contract/operations.ts";
import type { Signer } from "../../contract/resources/signer.ts";
import type { CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { signerArgument } from "./argument.ts";
import { signerView } from "./view.ts";

/** `relayctl signers get <id>` (facts 8.1). */
export const signersGet: CommandFile<object, string> = {
  summary: "Show one signer",
  sends: "read",
  examples: [
    "relayctl signers get treasury-kms",
    "relayctl signers get treasury-kms -o json",
    "relayctl signers get treasury-kms --fields type",
  ],
  resource: signerView,
  args: [signerArgument],
  define(command) {
    command.description("Show one signer: its type, and the parts of its config that are not secret.");
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    getView<Signer>(call, {
      resource: signerView,
      request: { operation: operations["signers.get"], parameters: { signer_id: id } },
      get: (client) => client.signers.get(id),
    }),
};
