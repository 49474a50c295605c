import { closed, count, flag, open, orNull, text, time, word } from "./schema.ts";

const REASONS = ["malformed", "mismatch"];

export const EVENT_KIND = closed("An event that the service sends to webhooks, with one of its payload types.", {
  event: text("The member `event` of a delivery."),
  payload_type: text("The member `payload_type` of its payload."),
  kinds: text("The kinds of network whose relayers send it, separated by commas."),
  since: text("The version of the service that introduced it."),
  sent: text("When it is sent."),
});

export const WEBHOOK_EVENT = open(
  "The body of a webhook delivery.",
  {
    id: text("The ID of the event, the same in all attempts of its delivery."),
    event: text("What happened."),
    payload: open("The payload: its type as `payload_type`, and next to it the members that depend on the type."),
    timestamp: time("When it happened"),
  },
  ["id", "event", "payload", "timestamp"],
);

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
