import { leaveLate } from "./attempt-end.ts";
import type { Clock } from "./clock.ts";
import type { AttemptEnds, Link } from "./link.ts";

/** What one attempt used to be ended by, and the next will use again. */
interface SharedEnd {
  controller: AbortController;
  /** When its time is up, in milliseconds of `elapsed`; nothing while no attempt uses it. */
  due: number | undefined;
}

/**
 * The ends of many writes, several under way at the same time, with one timer for all of them: a signal and a timer for
 * each would cost a tenth of what a write costs.
 */
export function createSharedEnds(clock: Pick<Clock, "elapsed" | "sleep">): AttemptEnds {
  const used = new Set<SharedEnd>();
  const free: SharedEnd[] = [];
  let watch = new AbortController();

  function begin(link: Link): SharedEnd {
    const known = free.pop();
    if (known && !known.controller.signal.aborted) return known;
    const end: SharedEnd = { controller: new AbortController(), due: undefined };
    leaveLate(link, end.controller, () => end.due !== undefined);
    return end;
  }

  function leave(end: SharedEnd): void {
    used.delete(end);
    end.controller.abort("timeout");
  }

  /** The clock is asked once: what was slept for has passed. */
  async function watchOver({ signal }: AbortController): Promise<void> {
    let now = clock.elapsed();
    while (used.size > 0) {
      const next = Math.min(...[...used].map(({ due = now }) => due));
      await clock.sleep(next - now, signal);
      now = next;
      if (signal.aborted) return;
      for (const end of used) if ((end.due ?? 0) <= now) leave(end);
    }
  }

  return {
    take(link) {
      const end = begin(link);
      end.due = clock.elapsed() + link.timeout;
      used.add(end);
      if (used.size === 1) {
        watch = new AbortController();
        void watchOver(watch);
      }
      return {
        signal: end.controller.signal,
        over() {
          end.due = undefined;
          used.delete(end);
          free.push(end);
          if (used.size === 0) watch.abort("finished");
        },
      };
    },
  };
}
