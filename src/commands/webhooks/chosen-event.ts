import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Problems } from "../../contract/problems.ts";
import { type CatalogEntry, EVENT_WORDS, eventFor } from "../../contract/webhook/catalog.ts";
import { oneOf } from "../../nearest.ts";

/** An event with the kind of network that an example of it is about. */
export interface ChosenEvent {
  entry: CatalogEntry;
  kind: NetworkKind;
}

/** Returns the event that was typed; an unknown event, and a kind that does not send it, are problems. */
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
  const entry = eventFor(word);
  if (!entry) problems.add(where, oneOf(word, EVENT_WORDS), word);
  const [first] = entry?.kinds ?? [];
  if (!entry || first === undefined) return undefined;
  if (kind === undefined || entry.kinds.includes(kind)) return { entry, kind: kind ?? first };
  if (!problems.has("--network-type"))
    problems.add("--network-type", `only relayers of kind ${entry.kinds.join(", ")} send ${entry.event}`, kind);
  return undefined;
}
