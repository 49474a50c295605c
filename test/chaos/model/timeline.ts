import type { Clock } from "../../../src/client/clock.ts";

/** The one clock of a life: what is due happens in order, and time passes only from one event to the next. */
export interface Timeline {
  /** Milliseconds since the start of the life. */
  readonly now: number;
  /** Does something after so many milliseconds, rounded up as timers do; the returned function cancels it. */
  after(milliseconds: number, act: () => void): () => void;
  /** The same for what lets the program continue, which must come to rest before time passes again. */
  wakeAfter(milliseconds: number, act: () => void): () => void;
  /** Lets events happen until an event wakes the program; false if none is left before the limit. */
  passUntilWoken(limit: number): boolean;
  /** Lets everything happen up to a moment. Nothing may wait for it. */
  passTo(moment: number): void;
  /** The clock of a program that runs within the life. */
  clock: Clock;
}

/** When each life begins. */
export const START = Date.parse("2026-11-21T03:00:00Z");

interface Event {
  at: number;
  order: number;
  act: () => void;
  wakes: boolean;
  isCanceled: boolean;
}

const isEarlier = (one: Event, other: Event) => one.at < other.at || (one.at === other.at && one.order < other.order);

export function createTimeline(): Timeline {
  const heap: Event[] = [];
  let now = 0;
  let order = 0;

  function add(milliseconds: number, act: () => void, wakes: boolean): () => void {
    const event = { at: now + Math.max(0, Math.ceil(milliseconds)), order: order++, act, wakes, isCanceled: false };
    push(heap, event);
    return () => {
      event.isCanceled = true;
    };
  }

  /** Lets the next event happen; undefined if none is due. */
  function step(limit: number): Event | undefined {
    for (let next = heap[0]; next && next.at <= limit; next = heap[0]) {
      pop(heap);
      if (next.isCanceled) continue;
      now = next.at;
      next.act();
      return next;
    }
    return undefined;
  }

  const timeline: Timeline = {
    get now() {
      return now;
    },
    after: (milliseconds, act) => add(milliseconds, act, false),
    wakeAfter: (milliseconds, act) => add(milliseconds, act, true),
    passUntilWoken(limit) {
      for (let event = step(limit); event; event = step(limit)) if (event.wakes) return true;
      now = Math.max(now, limit);
      return false;
    },
    passTo(moment) {
      while (step(moment));
      now = Math.max(now, moment);
    },
    clock: {
      now: () => START + now,
      elapsed: () => now,
      sleep: (milliseconds, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted) return resolve();
          const leave = () => {
            cancel();
            resolve();
          };
          const cancel = add(
            milliseconds,
            () => {
              signal?.removeEventListener("abort", leave);
              resolve();
            },
            true,
          );
          signal?.addEventListener("abort", leave);
        }),
    },
  };
  return timeline;
}

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above] as Event;
    if (!isEarlier(event, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let below = at * 2 + 1;
    const right = heap[below + 1];
    if (right && isEarlier(right, heap[below] as Event)) below++;
    const child = heap[below];
    if (!child || !isEarlier(child, last)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
}
