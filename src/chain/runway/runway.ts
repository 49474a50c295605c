import { PACE_WINDOW } from "../../timing.ts";

/** A balance, in the smallest unit, at a time in milliseconds since 1970. */
export interface BalanceSample {
  time: number;
  balance: bigint;
}

/** How long a balance lasts at its pace so far. */
export interface Runway {
  /** Whole seconds until nothing is left; undefined if the balance did not fall. */
  seconds: bigint | undefined;
  /** In the smallest unit. */
  spent: bigint;
  /** Milliseconds over which the pace was measured. */
  span: number;
}

/** How much older a sample may be: a block is found by the average time between blocks. */
const SLACK = 3_600_000;
/** A shorter span would estimate from a single transaction. */
const SHORTEST_SPAN = 10 * 60_000;

/** Uses the pace of the last 24 hours; undefined without enough samples. Additions to the balance don't slow it. */
export function runwayOf(samples: Iterable<BalanceSample>): Runway | undefined {
  const sorted = [...samples].sort((one, other) => one.time - other.time);
  const newest = sorted.at(-1);
  if (!newest) return undefined;
  const counted = sorted.filter(({ time }) => newest.time - time <= PACE_WINDOW + SLACK);
  const span = newest.time - (counted[0]?.time ?? newest.time);
  if (span < SHORTEST_SPAN) return undefined;
  let spent = 0n;
  for (const [index, { balance }] of counted.entries()) {
    const fallen = (counted[index - 1]?.balance ?? balance) - balance;
    if (fallen > 0n) spent += fallen;
  }
  return { seconds: spent > 0n ? (newest.balance * BigInt(span)) / (spent * 1_000n) : undefined, spent, span };
}

/** Returns the samples that may still count later: at most one a minute, and 24 hours of them. */
export function keptRunwaySamples(samples: readonly BalanceSample[], added: BalanceSample): BalanceSample[] {
  const counted = samples.filter(({ time }) => time < added.time && added.time - time <= PACE_WINDOW);
  const [last, before] = [counted.at(-1), counted.at(-2)];
  const isClose = last && before && added.time - before.time < SAMPLE_INTERVAL && last.balance >= added.balance;
  return [...(isClose ? counted.slice(0, -1) : counted), added];
}

const SAMPLE_INTERVAL = 60_000;

export function runwayText({ seconds, span }: Runway): string {
  const period = `the last ${spanText(span)}`;
  return seconds === undefined ? `nothing spent in ${period}` : `${runwayLastsText(seconds)} at the pace of ${period}`;
}

const [MINUTE, HOUR, DAY] = [60n, 3_600n, 86_400n];

export function runwayLastsText(seconds: bigint): string {
  if (seconds >= 365n * DAY) return "more than a year";
  if (seconds >= 2n * DAY) {
    const tenths = (seconds * 10n) / DAY;
    return seconds >= 10n * DAY ? `${seconds / DAY} days` : `${tenths / 10n}.${tenths % 10n} days`;
  }
  if (seconds >= 2n * HOUR) return `${seconds / HOUR} hours`;
  return `${seconds / MINUTE} min`;
}

function spanText(span: number): string {
  const hours = Math.round(span / 3_600_000);
  return hours >= 2 ? `${hours} h` : `${Math.round(span / 60_000)} min`;
}
