import type { Command } from "commander";
import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import { readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import { flagOf, validateBody } from "../../command-support/request-body/body-problems.ts";
import type { JsonObject } from "../../contract/json.ts";
import { signTypedDataSchema } from "../../contract/requests.ts";
import { BODY_FILE } from "../body-options.ts";
import type { Call, CommandFile } from "../command.ts";
import { relayerArgument } from "./arguments.ts";
import { type Signing, signedView } from "./sign/signing.ts";
import { signatureView } from "./sign/view.ts";

interface TypedDataFlags {
  domainSeparator?: string;
  hashStructMessage?: string;
  file?: string;
}

/** `relayctl relayers sign-typed-data <id>` (facts 3.2). */
export const relayersSignTypedData: CommandFile<TypedDataFlags, Signing> = {
  summary: "Sign EIP-712 hashes with an EVM relayer's key",
  sends: "read",
  ends: { conflict: "paused or disabled" },
  examples: [
    "relayctl relayers sign-typed-data eth-main-1 -f hashes.json",
    "relayctl relayers sign-typed-data eth-main-1 -f hashes.json -o json --query sig",
    "relayctl relayers sign-typed-data eth-main-1 -f hashes.json --dry-run",
  ],
  resource: signatureView,
  args: [relayerArgument],
  define,
  interview,
  prepare,
  run: (call, signing) =>
    signedView(call, signing, {
      operation: "relayers.sign-typed-data",
      resource: signatureView,
      name: "sig",
      sign: (client, id, body) => client.relayers.signTypedData(id, body),
    }),
};

function define(command: Command): void {
  command
    .description(
      "Sign EIP-712 typed data by its two hashes. Nothing is sent to a chain. The hashes do not show what is being signed, and anyone who has the signature can use it, e.g. as a permit to spend.",
    )
    .optionsGroup("Fields")
    .option("--domain-separator <hash>", "Domain separator: 32 bytes of hex, with or without 0x (required)")
    .option("--hash-struct-message <hash>", "Hash of the message: 32 bytes of hex, with or without 0x (required)")
    .optionsGroup("Request")
    .option(...BODY_FILE);
}

async function interview(call: Call<TypedDataFlags>): Promise<string[]> {
  const { fields } = await readBodyFile(call.app, call.flags.file);
  const { typedDataInterview } = await import("./sign/interview.ts");
  return await typedDataInterview(call, { ...fields, ...typedFields(call.flags) });
}

function typedFields({ domainSeparator, hashStructMessage }: TypedDataFlags): JsonObject {
  return {
    ...(domainSeparator !== undefined && { domain_separator: domainSeparator }),
    ...(hashStructMessage !== undefined && { hash_struct_message: hashStructMessage }),
  };
}

async function prepare(call: Call<TypedDataFlags>, problems: Problems): Promise<Signing> {
  const id = await readId(call, problems, "id", call.args[0]);
  const fromFile = await readBodyFile(call.app, call.flags.file);
  const typed = typedFields(call.flags);
  const body: JsonObject = { ...fromFile.fields, ...typed };
  for (const field of ["domain_separator", "hash_struct_message"]) {
    if (body[field] === undefined) problems.add(flagOf(field), "is required: 32 bytes of hex");
  }
  validateBody(problems, signTypedDataSchema, body, sourcesOf(typed, fromFile));
  return { id, body };
}
