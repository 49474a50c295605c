import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Problems } from "../../contract/problems.ts";
import { type CatalogEntry, EVENT_WORDS, exampleEvent, webhookCatalogEvent } from "../../contract/webhook/catalog.ts";
import type { WebhookEvent } from "../../contract/webhook/event.ts";
import { oneOf } from "../../nearest.ts";
import type { Call } from "../command.ts";

export interface ChosenEvent {
  entry: CatalogEntry;
  kind: NetworkKind;
}

/** Returns the typed event; an unknown event, and a kind that doesn't send it, are problems. */
export function chosenEvent(
  word: string | undefined,
  kind: NetworkKind | undefined,
  problems: Problems,
  where = "event",
): ChosenEvent | undefined {
  if (word === undefined) {
    if (kind !== undefined) problems.add("--network-type", "requires an event");
    return undefined;
  }
  const entry = webhookCatalogEvent(word);
  if (!entry) problems.add(where, oneOf(word, EVENT_WORDS), word);
  const [first] = entry?.kinds ?? [];
  if (!entry || first === undefined) return undefined;
  if (kind === undefined || entry.kinds.includes(kind)) return { entry, kind: kind ?? first };
  if (!problems.has("--network-type"))
    problems.add("--network-type", `only relayers of kind ${entry.kinds.join(", ")} send ${entry.event}`, kind);
  return undefined;
}

/** Its transaction shows that it never happened, so that nobody books it. */
export function testEvent({ random, clock }: Pick<Call["app"], "random" | "clock">, chosen: ChosenEvent): WebhookEvent {
  const timestamp = new Date(clock.now()).toISOString().replace("Z", "+00:00");
  const event = exampleEvent(chosen.entry, chosen.kind, { id: random.uuid(), timestamp });
  return chosen.entry.payloadType === "transaction"
    ? { ...event, payload: unconfirmPayload(event.payload, random.uuid()) }
    : event;
}

/** Sets the members that the transaction has: a Solana transaction has fewer. */
function unconfirmPayload(payload: WebhookEvent["payload"], id: string): WebhookEvent["payload"] {
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
