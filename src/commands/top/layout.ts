import type { TopState } from "./state.ts";

export interface Layout {
  /** The rows of the list, or of the open page. */
  room: number;
  /** The rows of the events, without the empty one above. */
  log: number;
}

/** The header, the names of the columns or of the page, and the keys. */
const FRAME = 3;
/** The events that have room next to a list that does not fit. */
const [LEAST_LOG, MOST_LOG] = [3, 8];

/** Returns how many rows each part has. A page takes those of the events as well. */
export function layoutOf({ rows, pages, events, sources }: TopState): Layout {
  const all = Math.max(0, rows - FRAME);
  if (pages.length > 0) return { room: all, log: 0 };
  const listed = sources.reduce((sum, { seen }) => sum + seen.found.length, 0);
  const free = all - listed - 1;
  const wanted = Math.min(events.length, MOST_LOG);
  const log = Math.min(wanted, free >= LEAST_LOG ? free : Math.max(0, Math.min(LEAST_LOG, Math.floor(all / 3) - 1)));
  return { room: log > 0 ? all - log - 1 : all, log };
}
