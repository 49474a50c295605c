import type { Clock } from "../../../client/clock.ts";
import type { Say } from "../../../command-support/call.ts";
import { grouped } from "../../../contract/decimal.ts";

/** Lines for the user about deliveries, of which a sender can cause any number. */
export interface Notices {
  /** Prints a line, or counts it if there were many. @param kind what is counted, in words: `wrong signature` */
  add(kind: string, line: string): Promise<void>;
  /** Prints what was counted. */
  end(): Promise<void>;
}

/** The lines that are printed within a time in milliseconds, before further ones are counted. */
const [MOST, WITHIN] = [10, 10_000];

export function createNotices(say: Say, clock: Pick<Clock, "sleep">, until: AbortSignal): Notices {
  let left = MOST;
  let isWaiting = false;
  const counts = new Map<string, number>();
  const print = async () => {
    const parts = [...counts].map(([kind, count]) => `${grouped(count)} × ${kind}`);
    counts.clear();
    if (parts.length > 0) await say(`note: and more of the same: ${parts.join(", ")}`);
  };
  const wait = async () => {
    isWaiting = true;
    await clock.sleep(WITHIN, until);
    isWaiting = false;
    left = MOST;
    await print();
  };
  return {
    async add(kind, line) {
      // A line that cannot be printed ends the command where it awaits the next one.
      if (!isWaiting) wait().catch(() => {});
      if (left > 0) {
        left--;
        await say(line);
      } else counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    end: print,
  };
}
