import { closed, count, flag, list, type Members, open, orNull, text, time, word } from "./schema.ts";

const EVENT: Members = {
  id: text("The ID of the event, the same in all attempts of its delivery."),
  event: text("What happened."),
  payload: open("The payload: its type as `payload_type`, and next to it the members that depend on the type."),
  timestamp: time("When it happened"),
};

export const REPLAYED_DELIVERY = open(
  "A recorded delivery that was sent again: the event, with what is known about both deliveries.",
  {
    ...Object.fromEntries(Object.entries(EVENT).map(([name, member]) => [name, orNull(member)])),
    delivery: closed("The recorded delivery.", {
      received_at: time("When it was received"),
      accepted: flag("Whether its first receiver accepted it."),
    }),
    replay: closed("The delivery that was sent now.", {
      status: orNull(count("The HTTP status of the response; null if no response arrived.")),
      ms: count("The time until the response, in milliseconds."),
      problem: orNull(text("Why the receiver did not accept it; null if it did.")),
    }),
  },
  ["delivery", "replay"],
);

export const RECEIVER_CHECK = closed("Whether a receiver accepts an example event.", {
  url: text("The URL of the receiver, without user-info."),
  event: text("The event that was sent."),
  payload_type: text("The type of its payload."),
  passed: flag("Whether every check passed."),
  checks: list(
    "The deliveries, in the order in which they were sent.",
    closed("A delivery.", {
      signature: word("How the delivery was signed; a wrong or missing signature must be refused.", [
        "valid",
        "unsigned",
        "wrong",
        "missing",
      ]),
      id: text("The ID of the event."),
      status: orNull(count("The HTTP status of the response; null if no response arrived.")),
      ms: count("The time until the response, in milliseconds."),
      passed: flag("Whether the receiver did what it has to do."),
      problem: orNull(text("What is wrong; null if the check passed.")),
    }),
  ),
});

const REASONS = ["malformed", "mismatch"];

export const EVENT_KIND = closed("An event that the service sends to webhooks, with one of its payload types.", {
  event: text("The member `event` of a delivery."),
  payload_type: text("The member `payload_type` of its payload."),
  kinds: text("The kinds of network whose relayers send it, separated by commas."),
  since: text("The version of the service that introduced it."),
  sent: text("When it is sent."),
});

export const WEBHOOK_EVENT = open("The body of a webhook delivery.", EVENT, Object.keys(EVENT));

export const SIGNATURE_CHECK = closed("Whether a webhook delivery is signed with one of the keys.", {
  verified: flag("Whether the signature fits the body and one of the keys."),
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

export const RECEIVED_EVENT = open(
  "A webhook event as received, one per line, with what `relayctl webhooks listen` adds as its last member.",
  {
    ...WEBHOOK_EVENT.properties,
    delivery: closed("What relayctl adds to the event.", {
      received_at: time("When the first delivery of the event was received"),
      signature: word(
        "Whether the signature is `valid`; `unsigned` if there was none, `unverified` if no key was specified.",
        ["valid", "unsigned", "unverified"],
      ),
      key: orNull(count("Which key made the signature, counted from 1; null if none was specified.")),
      late: flag("Whether a newer event of the same transaction or relayer was received before it."),
      meaning: text("What the event means, in words."),
    }),
  },
  ["id", "delivery"],
);
