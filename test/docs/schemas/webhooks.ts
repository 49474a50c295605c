import { closed, count, flag, orNull, text, word } from "./schema.ts";

const REASONS = ["malformed", "mismatch"];

export const SIGNATURE_CHECK = closed("Whether a webhook delivery is signed with one of the keys.", {
  verified: flag("Whether the signature is that of the body with one of the keys."),
  key: orNull(count("Which key made the signature, counted from 1; null if none did.")),
  key_file: orNull(text("The file of that key, as typed.")),
  reason: orNull(
    word(
      "Why it is not verified: `malformed`, if it is not standard base64 of 32 bytes, or `mismatch`; null if it is.",
      REASONS,
    ),
  ),
  cause: orNull(text("The cause, if it could be found; null otherwise.")),
});
