import type { AttemptEnd, AttemptEnds, ClientContext } from "../client-context.ts";
import type { Clock } from "../clock.ts";
import { leaveLate } from "./send.ts";

interface SharedEnd extends AttemptEnd {
  controller: AbortController;
  /** The milliseconds left for the whole command. */
  remaining: ClientContext["remaining"];
  /** When the time is up, by `elapsed`. */
  due: number;
  isUnsent: boolean;
}

/** Creates the ends of many concurrent writes: one timer and one listener save a tenth of the time. */
export function createSharedEnds(clock: Pick<Clock, "elapsed" | "sleep">): AttemptEnds {
  const free: SharedEnd[] = [];
  const watch = createWatch(clock);

  function createEnd(): SharedEnd {
    const controller = new AbortController();
    const end: SharedEnd = {
      controller,
      signal: controller.signal,
      remaining: undefined,
      due: 0,
      isUnsent: false,
      untilSent() {
        const { due } = end;
        end.isUnsent = true;
        if (end.remaining) watch.shorten(end, end.remaining());
        return () => {
          end.isUnsent = false;
          end.due = due;
        };
      },
      over() {
        end.isUnsent = false;
        watch.drop(end);
        if (!end.signal.aborted) free.push(end);
      },
    };
    return end;
  }

  return {
    take(clientContext) {
      const end = free.pop() ?? createEnd();
      if (clientContext.abandon.aborted) end.controller.abort("interrupted");
      end.remaining = clientContext.remaining;
      end.due = clock.elapsed() + clientContext.timeout;
      watch.add(end, clientContext);
      return end;
    },
  };
}

/** Watches the ends in use: the first is added with the listener of all, and the last takes it away. */
function createWatch(clock: Pick<Clock, "elapsed" | "sleep">) {
  const used = new Set<SharedEnd>();
  let watch = new AbortController();
  let watchedUntil = 0;
  let unhook = () => {};

  function interruptUnsent(): boolean {
    const unsent = [...used].filter(({ isUnsent }) => isUnsent);
    interruptEnds(unsent);
    return unsent.length < used.size;
  }

  function restart(): void {
    watch = new AbortController();
    void watchOver(watch, clock.elapsed());
  }

  function drop(end: SharedEnd): void {
    used.delete(end);
    if (used.size > 0) return;
    watch.abort("finished");
    unhook();
  }

  /** Reads no clock: the time slept has passed. */
  async function watchOver({ signal }: AbortController, started: number): Promise<void> {
    let now = started;
    while (used.size > 0) {
      watchedUntil = Math.min(...[...used].map(({ due }) => due));
      const next = watchedUntil;
      await clock.sleep(next - now, signal);
      now = next;
      if (signal.aborted) return;
      for (const end of used)
        if (end.due <= now) {
          drop(end);
          end.controller.abort("timeout");
        }
    }
  }

  return {
    add(end: SharedEnd, clientContext: ClientContext): void {
      used.add(end);
      if (used.size > 1) return;
      unhook = leaveLate(clientContext, () => interruptEnds(used), interruptUnsent);
      restart();
    },
    shorten(end: SharedEnd, remaining: number): void {
      end.due = Math.min(end.due, clock.elapsed() + remaining);
      if (end.due >= watchedUntil) return;
      watch.abort("finished");
      restart();
    },
    drop,
  };
}

function interruptEnds(ends: Iterable<SharedEnd>): void {
  for (const { controller } of ends) controller.abort("interrupted");
}
