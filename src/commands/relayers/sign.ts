import type { Command } from "commander";
import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import { readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import { validateBody } from "../../command-support/request-body/body-problems.ts";
import type { JsonObject } from "../../contract/json.ts";
import { signMessageSchema } from "../../contract/requests.ts";
import { BODY_FILE } from "../body-options.ts";
import type { Call, CommandFile } from "../command.ts";
import { relayerArgument } from "./arguments.ts";
import { type Signing, signedView } from "./sign/signing.ts";
import { textInput } from "./sign/text-input.ts";
import { signatureView } from "./sign/view.ts";

interface SignFlags {
  message?: string;
  messageFile?: string;
  file?: string;
}

/** `relayctl relayers sign <id>` (facts 3.2). */
export const relayersSign: CommandFile<SignFlags, Signing> = {
  summary: "Sign a message with an EVM relayer's key",
  sends: "read",
  ends: { conflict: "paused or disabled" },
  examples: [
    "relayctl relayers sign eth-main-1 --message 'log in as 42'",
    "relayctl relayers sign eth-main-1 --message-file terms.txt -o json --query sig",
    "relayctl relayers sign eth-main-1 --message hello --curl",
  ],
  resource: signatureView,
  args: [relayerArgument],
  define,
  interview,
  prepare,
  run: (call, signing) =>
    signedView(call, signing, {
      operation: "relayers.sign",
      resource: signatureView,
      name: "sig",
      sign: (client, id, body) => client.relayers.sign(id, body),
    }),
};

function define(command: Command): void {
  command
    .description(
      "Sign a message with the EIP-191 prefix. Nothing is sent to a chain, and no confirmation is required: anyone who has the signature can use it. Every byte is signed, including a newline at the end of a file. Hex is printed without 0x.",
    )
    .optionsGroup("Fields")
    .option("--message <text>", "Message to sign")
    .option("--message-file <file>", "Read the message from a file byte for byte (`-` for stdin)")
    .optionsGroup("Request")
    .option(...BODY_FILE);
}

async function interview(call: Call<SignFlags>): Promise<string[]> {
  const { message, messageFile, file } = call.flags;
  const { fields } = await readBodyFile(call.app, file);
  const { messageInterview } = await import("./sign/interview.ts");
  return await messageInterview(
    call,
    [message, messageFile, fields.message].some((given) => given !== undefined),
  );
}

async function prepare(call: Call<SignFlags>, problems: Problems): Promise<Signing> {
  const { message: text, messageFile, file } = call.flags;
  const id = await readId(call, problems, "id", call.args[0]);
  const fromFile = await readBodyFile(call.app, file);
  const message = await textInput(call, problems, { flag: "--message", text, file: messageFile });
  const typed: JsonObject = message === undefined ? {} : { message };
  const body = { ...fromFile.fields, ...typed };
  if (body.message === undefined && !problems.has("--message")) problems.add("--message", "is required: what to sign");
  validateBody(problems, signMessageSchema, body, sourcesOf(typed, fromFile));
  return { id, body };
}
