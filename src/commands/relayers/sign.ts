import { validateBody } from "../../contract/requests/body-problems.ts";
import { signMessageSchema } from "../../contract/requests.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { signatureView, signCommand, textInput } from "./sign/sign-command.ts";

/** `relayctl relayers sign <id>` (facts 3.2). */
export const relayersSign = signCommand({
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
  define,
  async interview(call, fields) {
    const { message, messageFile } = call.flags;
    const { messageInterview } = await import("./sign/interview.ts");
    return await messageInterview(
      call,
      [message, messageFile, fields.message].some((given) => given !== undefined),
    );
  },
  async typedFields(call, problems) {
    const { message: text, messageFile: file } = call.flags;
    const message = await textInput(call, problems, { flag: "--message", text, file });
    return message === undefined ? {} : { message };
  },
  validate(problems, body, sourceOf) {
    if (body.message === undefined && !problems.has("--message"))
      problems.add("--message", "is required: what to sign");
    validateBody(problems, signMessageSchema, body, sourceOf);
  },
  sign: (client, id, body) => client.relayers.sign(id, body),
});

function define(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .option("--message <text>", "Message to sign")
    .option("--message-file <file>", "Read the message from a file byte for byte (`-` for stdin)");
}
