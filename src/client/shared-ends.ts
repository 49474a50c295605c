import { leaveLate } from "./attempt-end.ts";
import type { Clock } from "./clock.ts";
import type { AttemptEnds, Link } from "./link.ts";

/** What one attempt used to be ended by, and the next will use again. */
interface SharedEnd {
  controller: AbortController;
  /** When its time is up, in milliseconds of `elapsed`. */
  due: number;
}

/**
 * The ends of many writes over one link, several under way at the same time, with one timer and one ear for the signals for
 * all of them: a signal and a timer for each would cost a tenth of what a write costs, and an interrupt is told once.
 */
export function createSharedEnds(clock: Pick<Clock, "elapsed" | "sleep">): AttemptEnds {
  const used = new Set<SharedEnd>();
  const free: SharedEnd[] = [];
  let watch = new AbortController();
  let unhook = () => {};

  function begin({ abandon }: Link): SharedEnd {
    const end = free.pop() ?? { controller: new AbortController(), due: 0 };
    if (abandon.aborted) end.controller.abort("interrupted");
    return end;
  }

  function startWatch(link: Link): void {
    watch = new AbortController();
    unhook = leaveLate(link, () => {
      for (const { controller } of used) controller.abort("interrupted");
    });
    void watchOver(watch);
  }

  function drop(end: SharedEnd): void {
    used.delete(end);
    if (used.size > 0) return;
    watch.abort("finished");
    unhook();
  }

  function leave(end: SharedEnd): void {
    drop(end);
    end.controller.abort("timeout");
  }

  /** The clock is asked once: what was slept for has passed. */
  async function watchOver({ signal }: AbortController): Promise<void> {
    let now = clock.elapsed();
    while (used.size > 0) {
      const next = Math.min(...[...used].map(({ due }) => due));
      await clock.sleep(next - now, signal);
      now = next;
      if (signal.aborted) return;
      for (const end of used) if (end.due <= now) leave(end);
    }
  }

  return {
    take(link) {
      const end = begin(link);
      end.due = clock.elapsed() + link.timeout;
      used.add(end);
      if (used.size === 1) startWatch(link);
      return {
        signal: end.controller.signal,
        over() {
          drop(end);
          if (!end.controller.signal.aborted) free.push(end);
        },
      };
    },
  };
}
