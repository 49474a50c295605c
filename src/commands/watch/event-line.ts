import { ndjsonLine } from "../../terminal/formats/ndjson.ts";
import { pickFields } from "../../terminal/select/fields.ts";
import type { Call } from "../command.ts";
import type { Change } from "./changes.ts";
import type { Choice } from "./choice.ts";
import type { Watched } from "./watched.ts";

/** Returns a change as one line of JSON, with the fields that are named. */
export function eventLine(
  time: string,
  { event, item }: Change,
  { eventOf }: Watched,
  { fields, derive }: Choice,
): string {
  const picked = fields ? pickFields(derive ? derive(item) : item, fields) : item;
  return ndjsonLine({ time, event, ...eventOf(picked) });
}

/** Returns the time of an event. */
export function timeOf({ app: { clock } }: Call): string {
  return new Date(clock.now()).toISOString();
}
