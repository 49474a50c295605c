import type { UnverifiedReason } from "../../contract/webhook/signature.ts";
import { RelayctlError } from "../../errors.ts";
import { readInputBytes } from "../../session/input-file.ts";
import { createCommand } from "../command.ts";
import { defineSigningKeyFlags, readVerifyingKeys, signedBodyInput } from "./signing-keys.ts";

export const webhooksVerify = createCommand({
  summary: "Verify the signature of a delivery",
  sends: "nothing",
  ends: { ok: "verified", unmet: "not verified" },
  examples: [
    "relayctl webhooks verify --signature=PuiyMrANOKZRJWl7jKlpAtQy3VWOsUk5/9oHI2R+f4E= --signing-key-file signing.key --file body.json",
    "relayctl webhooks verify --signature=PuiyMrANOKZRJWl7jKlpAtQy3VWOsUk5/9oHI2R+f4E= --signing-key-file new.key --signing-key-file old.key < body.json",
    "relayctl webhooks verify --signature=PuiyMrANOKZRJWl7jKlpAtQy3VWOsUk5/9oHI2R+f4E= --signing-key-file signing.key --file body.json -o json",
  ],
  description:
    "Verify the X-Signature of a delivery over the raw bytes of its body, and print which key made it. If none of the keys did, look for the usual causes, e.g. a reformatted body, an added final newline, or a signature in another encoding.",
  define: (command) =>
    command
      .optionsGroup("Input")
      .option("--signature <text>", "Value of the X-Signature header (required)")
      .include(defineSigningKeyFlags, "; required")
      .option("--file <file>", "Read the body from a file (`-` for stdin; default: stdin)"),
  async prepare(call, problems) {
    const { app, flags } = call;
    const { signature, signingKeyFile: files } = flags;
    if (signature === undefined) problems.add("--signature", "is required: the value of the X-Signature header");
    if (signature === "") problems.add("--signature", "is empty");
    const input = signedBodyInput(flags.file, files ?? [], problems);
    const keys = await readVerifyingKeys(call, files, problems);
    if (problems.found.length > 0 || signature === undefined) return undefined;
    const body = await problems.gather(() => readInputBytes(app, input));
    return body && { signature, keys, body };
  },
  async run(_call, typed) {
    const { verifyWebhook } = await import("../../contract/webhook/signature.ts");
    const { signature, keys, body } = typed;
    const texts = keys.map(({ text }) => text);
    const result = verifyWebhook(body, signature, texts);
    if (result.verified) {
      const file = keys[result.key]?.file ?? "";
      return {
        kind: "facts",
        lines: [
          { label: "result", value: { text: "verified", tone: "good" } },
          { label: "key", value: { text: `${result.key + 1} of ${keys.length}: ${file}` } },
        ],
        value: { verified: true, key: result.key + 1, key_file: file, reason: null, cause: null },
      };
    }
    const { whyUnverified: verifyCause } = await import("./verify/cause.ts");
    const { reason } = result;
    const cause = verifyCause(body, signature, keys);
    return {
      kind: "facts",
      lines: [{ label: "result", value: { text: "not verified", tone: "bad" } }],
      value: { verified: false, key: null, key_file: null, reason, cause: cause ?? null },
      failure: new RelayctlError("unmet", reasonWords(reason, keys.length), { because: [cause ?? UNKNOWN_CAUSE] }),
    };
  },
});

function reasonWords(reason: UnverifiedReason, keys: number): string {
  if (reason === "malformed") return "malformed signature: the service sends standard base64 with padding";
  return `wrong signature: it does not match this body with ${keys === 1 ? "this key" : `any of these ${keys} keys`}`;
}

const UNKNOWN_CAUSE = "it was made with another key, or for another body";
