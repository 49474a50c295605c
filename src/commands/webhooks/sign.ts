import { readInputBytes } from "../../session/input-file.ts";
import { createCommand, ONE_TEXT } from "../command.ts";
import { defineSigningKeyFlag, readSigningKey, signedBodyInput } from "./signing-keys.ts";

export const webhooksSign = createCommand({
  summary: "Print the signature of a body",
  sends: "nothing",
  refuses: ONE_TEXT,
  examples: [
    "relayctl webhooks sign --signing-key-file signing.key --file body.json",
    "relayctl webhooks sign --signing-key-file signing.key < body.json",
    "relayctl webhooks sign --signing-key-file signing.key --file body.json --quiet",
  ],
  description:
    "Print the X-Signature that the service sends with a body: base64 of the HMAC-SHA256 of its bytes. Every byte is signed, a final newline too.",
  define: (command) =>
    command
      .optionsGroup("Input")
      .include(defineSigningKeyFlag, "Read the signing key from a file", "; required")
      .option("--file <file>", "Read the body from a file (`-` for stdin; default: stdin)"),
  async prepare(call, problems) {
    const { app, flags } = call;
    if (flags.signingKeyFile === undefined)
      problems.add("--signing-key-file", "is required: the file with the key to sign with");
    const input = signedBodyInput(flags.file, [flags.signingKeyFile], problems);
    const key = await readSigningKey(call, flags.signingKeyFile, problems);
    if (problems.found.length > 0 || key === undefined) return undefined;
    const body = await problems.gather(() => readInputBytes(app, input));
    return body && { key, body };
  },
  async run({ say }, typed) {
    const { webhookSignature } = await import("../../contract/webhook/signature.ts");
    const { key, body } = typed;
    if (body.length === 0) await say({ note: "the body is empty" });
    if (body.at(-1) === NEWLINE) await say({ note: "the signature includes the newline at the end of the body" });
    return { kind: "text", text: webhookSignature(key, body) };
  },
});

const NEWLINE = 10;
