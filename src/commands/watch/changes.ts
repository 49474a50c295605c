import { type JsonObject, writeJson } from "../../contract/json.ts";
import type { Watched } from "./watched.ts";

/** A change of an item since the last read. `seen` is the first read. */
export interface Change<T extends JsonObject = JsonObject> {
  event: "seen" | "added" | "changed" | "removed";
  /** The current item; after a removal, the last one seen. */
  item: T;
  before?: T;
}

export interface Compared<T extends JsonObject> extends Pick<Watched<T>, "idOf" | "compared" | "mayLeave"> {
  isWanted(item: T): boolean;
}

/** Returns the changes since a read; all on the first. What no longer matches is reported once more, as it is now. */
export function changesBetween<T extends JsonObject>(
  before: readonly T[] | undefined,
  now: readonly T[],
  { idOf, compared, mayLeave, isWanted }: Compared<T>,
): Change<T>[] {
  if (!before) return now.filter(isWanted).map((item) => ({ event: "seen", item }));
  const old = new Map(before.map((item) => [idOf(item), item]));
  const left = new Set(now.map(idOf));
  const changed = now.flatMap((item): Change<T>[] => {
    const was = old.get(idOf(item));
    if (!was) return isWanted(item) ? [{ event: "added", item }] : [];
    const isReported = writeJson(compared(was)) !== writeJson(compared(item)) && (isWanted(was) || isWanted(item));
    return isReported ? [{ event: "changed", item, before: was }] : [];
  });
  const removed = before.filter((item) => !left.has(idOf(item)) && isWanted(item) && !mayLeave?.(item));
  return [...changed, ...removed.map((item): Change<T> => ({ event: "removed", item }))];
}

/** Returns a change in words: `eth-main-1  active → paused`. */
export function changeText({ event, item, before }: Change, { idOf, nameOf = idOf, stateOf }: Watched): string {
  const name = nameOf(item);
  const state = stateOf(item);
  if (event === "removed") return `${name}  removed`;
  if (before === undefined) return `${name}  ${event === "added" ? "added, " : ""}${state}`;
  const was = stateOf(before);
  return `${name}  ${was === state ? `changed, ${state}` : `${was} → ${state}`}`;
}
