import { ndjsonLine } from "../../terminal/formats/ndjson.ts";
import { pickFields } from "../../terminal/select/fields.ts";
import type { Change, Choice, Watched } from "./watched.ts";

/** Returns a change as one line of JSON, with the time of the read and the fields that are named. */
export function eventLine({ event, item }: Change, { eventOf }: Watched, { time, fields, derive }: Choice): string {
  const picked = fields ? pickFields(derive ? derive(item) : item, fields) : item;
  return ndjsonLine({ time, event, ...eventOf(picked) });
}
