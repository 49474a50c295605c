import { ndjsonLine } from "../../terminal/formats/ndjson.ts";
import { pickFields } from "../../terminal/select/fields.ts";
import type { Change, Choice, Watched } from "./watched.ts";

export function eventLine({ event, item }: Change, { eventOf }: Watched, { time, fields, derive }: Choice): string {
  const picked = fields ? pickFields(derive ? derive(item) : item, fields) : item;
  return ndjsonLine({ time, event, ...eventOf(picked) });
}
