import type { JsonObject } from "../../contract/json.ts";
import type { WebhookEvent } from "../../contract/webhook/event.ts";
import { exampleEvent } from "../../contract/webhook/example.ts";
import type { Call } from "../command.ts";
import type { ChosenEvent } from "./chosen-event.ts";

/**
 * Returns an example with an ID and the time of now. A transaction in it shows as far as possible that it never happened,
 * so that nothing takes it for a payment that was confirmed.
 */
export function testEvent({ random, clock }: Pick<Call["app"], "random" | "clock">, chosen: ChosenEvent): WebhookEvent {
  const timestamp = new Date(clock.now()).toISOString().replace("Z", "+00:00");
  const event = exampleEvent(chosen.entry, chosen.kind, { id: random.uuid(), timestamp });
  return chosen.entry.payloadType === "transaction"
    ? { ...event, payload: unconfirmed(event.payload, random.uuid()) }
    : event;
}

/** Sets the members that the transaction has: those of a Solana transaction are fewer. */
function unconfirmed(payload: WebhookEvent["payload"], id: string): WebhookEvent["payload"] {
  const marks: JsonObject = {
    id,
    status: "submitted",
    status_reason: "test delivery of relayctl",
    confirmed_at: null,
    relayer_id: "relayctl-test",
  };
  const known = Object.entries(marks).filter(([name]) => Object.hasOwn(payload, name));
  return { ...payload, ...Object.fromEntries(known) };
}
