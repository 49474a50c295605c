import type { Problems } from "../../command-support/problems.ts";
import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Signer } from "../../contract/resources/signer.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { sendCreation } from "../send-creation.ts";
import { type CreateFlags, defineCreateFlags } from "./create-flags.ts";
import { withFiles } from "./secrets.ts";
import { typedCreation, validateCreation } from "./typed-creation.ts";
import { signerView } from "./view.ts";

/** `relayctl signers create` (facts 8.1), with every type and field. */
export const signersCreate: CommandFile<CreateFlags, JsonObject> = {
  summary: "Create a signer of any type; its secrets come from files",
  sends: "create",
  examples: [
    "relayctl signers create --type plain --id hot-2 --key-file key.txt",
    "relayctl signers create --type aws_kms --region eu-west-1 --key-id 1234abcd-12ab-34cd-56ef-1234567890ab",
    "relayctl signers create --type vault_transit --address https://vault.example.org --key-name relayer --pubkey 0x02a1 --role-id-file role --secret-id-file secret --dry-run",
  ],
  resource: signerView,
  define(command: CommandSyntax) {
    defineCreateFlags(
      command.description(
        "Create a signer. Secrets are read from files, from stdin (`-`), or at a hidden prompt, and never printed. The service does not allow changes to a signer: delete it and create another.",
      ),
    );
  },
  interview: async (call) => (await import("./create-interview.ts")).createInterview(call),
  inScripts: async (call) => (await import("./create-interview.ts")).secretWords(call),
  prepare,
  run: createSigner,
};

async function createSigner(call: Call, body: JsonObject): Promise<View> {
  return await sendCreation<Signer>(call, {
    noun: "signer",
    get: (client, id) => client.signers.get(id),
    operation: operations["signers.create"],
    resource: signerView,
    body,
    create: (client) => client.signers.create(body),
  });
}

async function prepare(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const typed = await typedCreation(call, problems);
  const body = await withFiles(call, typed, problems);
  validateCreation({ ...typed, body }, problems);
  return body;
}
