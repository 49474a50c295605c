import { storedList } from "../../command-support/printing.ts";
import { prettyJson, writeJson } from "../../contract/json.ts";
import { NETWORK_KINDS } from "../../contract/network-kind.ts";
import type { Problems } from "../../contract/problems.ts";
import { EVENT_WORDS, exampleEvent, WEBHOOK_EVENTS } from "../../contract/webhook/catalog.ts";
import { fieldsView, type ResourceView, toColumn } from "../../terminal/view.ts";
import { createCommand } from "../command.ts";
import { chosenEvent } from "./chosen-event.ts";

const eventView: ResourceView = {
  ...fieldsView("event", ["event", "payload_type", "kinds", "since", "sent"], () => undefined),
  id: "event",
  table: [
    toColumn("event", "event"),
    toColumn("payload", "payload_type"),
    toColumn("kinds", "kinds"),
    { ...toColumn("since", "since"), worth: -1 },
    { ...toColumn("sent", "sent"), isBelow: true },
  ],
};

export const webhooksEvents = createCommand({
  summary: "List the events of webhooks, or print an example of one",
  sends: "nothing",
  examples: [
    "relayctl webhooks events",
    "relayctl webhooks events transaction_update --network-type stellar",
    "relayctl webhooks events relayer_enabled -o json",
  ],
  args: [{ name: "[event]", description: "Event, or one of its payload types", words: EVENT_WORDS }],
  resource: eventView,
  description:
    "List the events that the service sends to webhooks, or print an example of one: in a pipe byte for byte as the service would send it, for `webhooks sign` and for tests of a receiver. The examples have fixed values.",
  define: (command) =>
    command.choice(
      "--network-type <type>",
      "Network type of the example (default: evm if it sends the event)",
      NETWORK_KINDS,
    ),
  prepare: async ({ args: [word], flags }, problems: Problems) => chosenEvent(word, flags.networkType, problems),
  async run({ app, output }, chosen) {
    if (!chosen) return storedList(eventView, ROWS, "services up to v1.8");
    const value = { ...exampleEvent(chosen.entry, chosen.kind) };
    const isForReading = app.stdout.isTerminal && output.format === undefined && output.query === undefined;
    if (isForReading) return { kind: "text", text: prettyJson(value) };
    const body = new TextEncoder().encode(writeJson(value));
    if (output.format === undefined && output.query === undefined) return { kind: "body", body };
    return { kind: "facts", lines: [], value, body };
  },
});

const ROWS = WEBHOOK_EVENTS.map(({ event, payloadType, kinds, since, sent }) => ({
  event,
  payload_type: payloadType,
  kinds: kinds.join(","),
  since,
  sent,
}));
