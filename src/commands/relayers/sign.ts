import type { Client } from "../../client/client.ts";
import type { ApiResult } from "../../client/request.ts";
import { readId } from "../../command-support/ids.ts";
import { bodyFileSources, readBodyFile } from "../../command-support/request-body/body-file.ts";
import { type JsonObject, textIn } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Problems } from "../../contract/problems.ts";
import { bodyFlag, validateBody } from "../../contract/requests/body-problems.ts";
import { signMessageSchema, signTransactionSchema, signTypedDataSchema } from "../../contract/requests.ts";
import { readExactInput } from "../../session/input-file.ts";
import { type Cell, fieldsView, type ResourceView, toCell } from "../../terminal/view.ts";
import {
  BODY_FILE,
  type Call,
  type CommandFile,
  type CommandSyntax,
  type Described,
  type InteractiveFlag,
  type ParsedFlags,
} from "../command.ts";
import { getView } from "../get-command.ts";
import { relayerArgument } from "../resource-arguments.ts";

type SignFlags<Define> = ParsedFlags<Define> & InteractiveFlag & { file?: string };

interface SignCommand<Define extends (command: CommandSyntax) => CommandSyntax> extends Described {
  verb: "sign" | "sign-typed-data" | "sign-transaction";
  resource: ResourceView;
  /** The field that `-o name` prints. */
  name: string;
  define: Define;
  /** Prompts for the missing fields. @param fields the fields of `-f` */
  interview(call: Call<SignFlags<Define>>, fields: JsonObject): Promise<void>;
  typedFields(call: Call<SignFlags<Define>>, problems: Problems): Promise<JsonObject>;
  validate(problems: Problems, body: JsonObject, sourceOf: (path: string) => string): void;
  sign(client: Client, id: string, body: JsonObject): Promise<ApiResult>;
}

export function createSignCommand<Define extends (command: CommandSyntax) => CommandSyntax>(
  spec: SignCommand<Define>,
): CommandFile<SignFlags<Define>, { id: string; body: JsonObject }> {
  const { verb, summary, description, examples, resource, name } = spec;
  return {
    ...{ summary, description, examples, resource },
    sends: "read",
    spends: true,
    ends: { conflict: "paused or disabled", declined: "read-only mode" },
    args: [relayerArgument],
    define(command) {
      spec.define(command);
      command.optionsGroup("Request").option(...BODY_FILE);
    },
    async interview(call) {
      await spec.interview(call, (await readBodyFile(call.app, call.flags.file)).fields);
      return true;
    },
    async prepare(call, problems) {
      const id = await readId(call, problems, "id", call.args[0]);
      const fromFile = await readBodyFile(call.app, call.flags.file);
      const typed = await spec.typedFields(call, problems);
      const body = { ...fromFile.fields, ...typed };
      spec.validate(problems, body, bodyFileSources(typed, fromFile));
      return { id, body };
    },
    run: (call, { id, body }) =>
      getView(call, {
        resource,
        request: { operation: operations[`relayers.${verb}`], parameters: { relayer_id: id }, body },
        get: (client) => spec.sign(client, id, body),
        nameOf: (signed) => textIn(signed[name]),
      }),
  };
}

/** Reads the exact text, including line endings; undefined without either flag. @param flag of the text, e.g. `--message` */
export async function signedTextInput(
  { app }: Pick<Call, "app">,
  problems: Problems,
  flag: string,
  [text, file]: readonly [string | undefined, string | undefined],
): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) problems.add(`${flag}-file`, `cannot be combined with ${flag}`);
  if (text === "") problems.add(flag, "is empty");
  return file === undefined ? text : await problems.gather(() => readExactInput(app, file), flag);
}

export const signatureView: ResourceView = fieldsView("signature", ["r", "s", "v", "sig"], signedCell);

export const signedTransactionView: ResourceView = fieldsView(
  "signed transaction",
  ["signedXdr", "transaction", "signature"],
  signedCell,
);

function signedCell(field: string, signed: JsonObject): Cell | undefined {
  return signed[field] === undefined ? undefined : toCell(signed[field]);
}

export const relayersSign = createSignCommand({
  verb: "sign",
  summary: "Sign a message with an EVM relayer's key",
  description:
    "Sign a message with the EIP-191 prefix. Nothing is sent to a chain, and no confirmation is required: anyone who has the signature can use it. Every byte is signed, including a newline at the end of a file. Hex is printed without 0x.",
  examples: [
    "relayctl relayers sign eth-main-1 --message 'log in as 42'",
    "relayctl relayers sign eth-main-1 --message-file terms.txt -o json --query sig",
    "relayctl relayers sign eth-main-1 --message hello --curl",
  ],
  resource: signatureView,
  name: "sig",
  define: defineSign,
  async interview(call, fields) {
    const { message, messageFile } = call.flags;
    const { signMessageInterview } = await import("./sign/interview.ts");
    return await signMessageInterview(
      call,
      [message, messageFile, fields.message].some((text) => text !== undefined),
    );
  },
  async typedFields(call, problems) {
    const { message: text, messageFile } = call.flags;
    const message = await signedTextInput(call, problems, "--message", [text, messageFile]);
    return message === undefined ? {} : { message };
  },
  validate(problems, body, sourceOf) {
    if (body.message === undefined && !problems.has("--message"))
      problems.add("--message", "is required: the text to sign");
    validateBody(problems, signMessageSchema, body, sourceOf);
  },
  sign: (client, id, body) => client.relayers.sign(id, body),
});

function defineSign(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .option("--message <text>", "Message to sign (required without --message-file)")
    .option("--message-file <file>", "Read the message from a file byte for byte (`-` for stdin)");
}

export const relayersSignTypedData = createSignCommand({
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
  define: defineTypedData,
  async interview(call, fields) {
    const { signTypedDataInterview } = await import("./sign/interview.ts");
    return await signTypedDataInterview(call, { ...fields, ...typedDataFields(call.flags) });
  },
  typedFields: async ({ flags }) => typedDataFields(flags),
  validate(problems, body, sourceOf) {
    for (const field of ["domain_separator", "hash_struct_message"]) {
      if (body[field] === undefined) problems.add(bodyFlag(field), "is required: 32 bytes of hex");
    }
    validateBody(problems, signTypedDataSchema, body, sourceOf);
  },
  sign: (client, id, body) => client.relayers.signTypedData(id, body),
});

function defineTypedData(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .option("--domain-separator <hash>", "Domain separator: 32 bytes of hex, with or without 0x (required)")
    .option("--hash-struct-message <hash>", "Hash of the message: 32 bytes of hex, with or without 0x (required)");
}

function typedDataFields({ domainSeparator, hashStructMessage }: ParsedFlags<typeof defineTypedData>): JsonObject {
  return {
    ...(domainSeparator !== undefined && { domain_separator: domainSeparator }),
    ...(hashStructMessage !== undefined && { hash_struct_message: hashStructMessage }),
  };
}

export const relayersSignTransaction = createSignCommand({
  verb: "sign-transaction",
  summary: "Sign a Stellar or Solana transaction without sending it",
  description:
    "Sign a transaction of a Stellar or Solana relayer without sending it. Anyone who has the output can send the transaction. EVM relayers sign what they send with `relayctl tx send`.",
  examples: [
    "relayctl relayers sign-transaction xlm-treasury --unsigned-xdr-file payment.xdr",
    "relayctl relayers sign-transaction sol-pay --transaction AQABAg== -o json --query transaction",
    "relayctl relayers sign-transaction sol-pay --transaction AQABAg== --dry-run",
  ],
  resource: signedTransactionView,
  name: "signature",
  define: defineTransaction,
  async interview(call, fields) {
    const { file: _, interactive: __, ...others } = call.flags;
    const { signTransactionInterview } = await import("./sign/interview.ts");
    return await signTransactionInterview(call, Object.keys({ ...fields, ...others }).length > 0);
  },
  // Whitespace has no meaning in Base64.
  async typedFields(call, problems) {
    const { unsignedXdr, unsignedXdrFile, transaction, transactionFile } = call.flags;
    const xdr = await signedTextInput(call, problems, "--unsigned-xdr", [unsignedXdr, unsignedXdrFile]);
    const encoded = await signedTextInput(call, problems, "--transaction", [transaction, transactionFile]);
    return {
      ...(xdr !== undefined && { unsigned_xdr: xdr.trim() }),
      ...(encoded !== undefined && { transaction: encoded.trim() }),
    };
  },
  validate(problems, body, sourceOf) {
    if (problems.found.length === 0) validateBody(problems, signTransactionSchema, body, sourceOf);
  },
  sign: (client, id, body) => client.relayers.signTransaction(id, body),
});

function defineTransaction(command: CommandSyntax) {
  return command
    .optionsGroup("Stellar")
    .option("--unsigned-xdr <base64>", "Transaction envelope")
    .option("--unsigned-xdr-file <file>", "Read the transaction envelope from a file (`-` for stdin)")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .option("--transaction-file <file>", "Read the serialized transaction from a file (`-` for stdin)");
}
