import type { JsonObject } from "../../contract/json.ts";
import { flagOf, validateBody } from "../../contract/requests/body-problems.ts";
import { signTypedDataSchema } from "../../contract/requests.ts";
import type { CommandSyntax, ParsedFlags } from "../flags/syntax.ts";
import { signatureView, signCommand } from "./sign/sign-command.ts";

type TypedDataFlags = ParsedFlags<typeof define>;

/** `relayctl relayers sign-typed-data <id>` (facts 3.2). */
export const relayersSignTypedData = signCommand({
  verb: "sign-typed-data",
  summary: "Sign EIP-712 hashes with an EVM relayer's key",
  description:
    "Sign EIP-712 typed data by its two hashes. Nothing is sent to a chain. The hashes do not show what is being signed, and anyone who has the signature can use it, e.g. as a permit to spend.",
  examples: [
    "relayctl relayers sign-typed-data eth-main-1 -f hashes.json",
    "relayctl relayers sign-typed-data eth-main-1 -f hashes.json -o json --query sig",
    "relayctl relayers sign-typed-data eth-main-1 -f hashes.json --dry-run",
  ],
  resource: signatureView,
  name: "sig",
  define,
  async interview(call, fields) {
    const { typedDataInterview } = await import("./sign/interview.ts");
    return await typedDataInterview(call, { ...fields, ...typedFields(call.flags) });
  },
  typedFields: async ({ flags }) => typedFields(flags),
  validate(problems, body, sourceOf) {
    for (const field of ["domain_separator", "hash_struct_message"]) {
      if (body[field] === undefined) problems.add(flagOf(field), "is required: 32 bytes of hex");
    }
    validateBody(problems, signTypedDataSchema, body, sourceOf);
  },
  sign: (client, id, body) => client.relayers.signTypedData(id, body),
});

function define(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .option("--domain-separator <hash>", "Domain separator: 32 bytes of hex, with or without 0x (required)")
    .option("--hash-struct-message <hash>", "Hash of the message: 32 bytes of hex, with or without 0x (required)");
}

function typedFields({ domainSeparator, hashStructMessage }: TypedDataFlags): JsonObject {
  return {
    ...(domainSeparator !== undefined && { domain_separator: domainSeparator }),
    ...(hashStructMessage !== undefined && { hash_struct_message: hashStructMessage }),
  };
}
