import type { BulkCounts } from "../../client/bulk-counts.ts";
import { grouped } from "../../contract/decimal.ts";
import { durationText } from "../../terminal/text/duration.ts";
import { textWidth } from "../../terminal/width.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const [FULL, EMPTY] = ["█", "░"];
const FRAME = 100;
const BAR = 18;

/**
 * Returns one line: `⠹ pausing   1,204/4,000   ████░░░░   31/s   1m 30s left   3 failed`. What does not fit is left out:
 * the bar first, then the rate, then the time.
 */
export function bulkLine(counts: BulkCounts, now: number, columns: number): string {
  const { doing, of, done, failed, sum, since } = counts;
  const filled = of === 0 ? 0 : Math.floor((done * BAR) / of);
  const frame = FRAMES[Math.floor(now / FRAME) % FRAMES.length];
  const { rate, left } = paceOf(counts, now - since);
  const first = [`${frame} ${doing}`, `${grouped(done)}/${grouped(of)}`, ...(sum === undefined ? [] : [sum])];
  const last = failed > 0 ? [`${grouped(failed)} failed`] : [];
  const optional = [FULL.repeat(filled) + EMPTY.repeat(BAR - filled), rate, left].filter((part) => part !== "");
  for (let from = 0; ; from++) {
    const line = [...first, ...optional.slice(from), ...last].join("   ");
    if (from === optional.length || textWidth(line) <= columns) return line;
  }
}

/** Returns the rate and the time left, which are empty until the first operation has ended. */
function paceOf({ of, done, failed }: BulkCounts, time: number): { rate: string; left: string } {
  const ended = done + failed;
  if (ended === 0 || time <= 0) return { rate: "", left: "" };
  const perSecond = (ended * 1000) / time;
  const rate = perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.round(perSecond));
  const left = ((of - ended) * 1000) / perSecond;
  return { rate: `${rate}/s`, left: `${durationText(left)} left` };
}

/** Returns the part that stays the same for a tenth of the operations, for output in lines. */
export function bulkSubject({ doing, of, done, failed }: BulkCounts): string {
  return `${doing} ${Math.floor(((done + failed) * 10) / Math.max(1, of))}`;
}
