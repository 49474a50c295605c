import type { Entry } from "../../../src/journal/journal.ts";
import type { Ran } from "../program.ts";
import { createDeceptions } from "./deceptions.ts";
import { createDisk } from "./disk.ts";
import type { Stored } from "./record.ts";
import { createTimeline, START } from "./timeline.ts";

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const RECORDS = Array.from({ length: 20 }, (_, index) => ({ id: `tx-${index}` }) as Stored);
const idsOf = (records: readonly Stored[]) => records.map(({ id }) => id);

describe("what deceives the program", () => {
  test("is nothing unless it may be", () => {
    for (const seed of SEEDS) {
      const { clockAhead, counts, headers, order } = createDeceptions(createTimeline(), seed, false, START);
      expect([clockAhead, counts, headers({ a: "b" }), order(RECORDS)]).toEqual([0, {}, { a: "b" }, RECORDS]);
    }
  });

  test("are lists in three orders, each with every record once, and the same each time", () => {
    const orders = new Set<string>();
    for (const seed of SEEDS) {
      const { order } = createDeceptions(createTimeline(), seed, true, START);
      const ids = idsOf(order(RECORDS));
      expect(ids.toSorted()).toEqual(idsOf(RECORDS).toSorted());
      expect(idsOf(order(RECORDS))).toEqual(ids);
      // One record more changes the place of no other.
      expect(idsOf(order(RECORDS.slice(1)))).toEqual(ids.filter((id) => id !== "tx-0"));
      orders.add(ids.join());
    }
    expect(orders).toContain(idsOf(RECORDS).join());
    expect(orders).toContain(idsOf(RECORDS).toReversed().join());
    expect(orders.size).toBeGreaterThan(10);
  });

  test("are responses of earlier payments, with the record as it was then or is now", () => {
    const stored = {
      id: "tx-1",
      status: "submitted",
      value: 1n,
      createdAt: 0,
      sentAt: 0,
      confirmedAt: null,
      nonce: 4,
    } as Stored;
    const replies = SEEDS.flatMap((seed) => {
      const { otherReply } = createDeceptions(createTimeline(), seed, true, START);
      expect(otherReply([])).toBe(undefined);
      return otherReply([stored]) ?? [];
    });
    expect(replies.length).toBeGreaterThan(10);
    expect(new Set(replies.map(({ isForwarded }) => isForwarded)).size).toBe(2);
    for (const { reply } of replies) expect(new TextDecoder().decode(reply.body)).toContain('"id":"tx-1"');
  });

  test("are clocks that are ahead or behind, some of which are set right", () => {
    const clocks = SEEDS.map((seed) => {
      const timeline = createTimeline();
      const deceptions = createDeceptions(timeline, seed, true, START);
      const before = deceptions.clockAhead;
      timeline.passTo(3_600_000);
      return [before, deceptions.clockAhead] as const;
    });
    expect(clocks.some(([before, after]) => before > 0 && after === before)).toBe(true);
    expect(clocks.some(([before, after]) => before < 0 && after === before)).toBe(true);
    expect(clocks.some(([before, after]) => before !== 0 && after === 0)).toBe(true);
    expect(clocks.some(([before, after]) => before === 0 && after !== 0)).toBe(false);
  });

  test("is the clock of a proxy", () => {
    const dates = SEEDS.map((seed) => createDeceptions(createTimeline(), seed, true, START).headers({}).date);
    const ahead = dates.flatMap((date) => (date === undefined ? [] : Date.parse(date) - START));
    expect(ahead.some((time) => time < 0)).toBe(true);
    expect(ahead.some((time) => time > 600_000)).toBe(true);
    expect(dates).toContain(undefined);
  });
});

/** Appends entries, one after the other, and returns which of them failed, and how many are on the disk. */
async function append(seed: number, count: number, isMended = false) {
  const timeline = createTimeline();
  const disk = createDisk(timeline, seed, true);
  if (isMended) disk.mend();
  const ran = { isKilled: false, waits: 0, entries: [], attempts: [] } as unknown as Ran;
  const journal = disk.journalFor(ran);
  const failed: number[] = [];
  for (let at = 0; at < count; at++) {
    const appended = journal.append({ type: "outcome", id: `${at}` } as Entry).catch(() => failed.push(at));
    timeline.passTo(timeline.now + 20);
    await appended;
  }
  return {
    failed,
    written: disk.entries.length,
    counts: disk.counts,
    acknowledged: ran.entries.filter(({ isUnsure }) => !isUnsure).length,
  };
}

test("the disk of a life fails at one call, or at all from then on, and not once it was mended", async () => {
  const lives = await Promise.all(SEEDS.map((seed) => append(seed, 60)));
  for (const { failed, acknowledged } of lives) expect(acknowledged).toBe(60 - failed.length);
  expect(lives.some(({ failed, counts }) => counts["disks that fail"] && failed.length < 4)).toBe(true);
  expect(lives.some(({ failed }) => failed.length > 20 && failed.at(-1) === 59)).toBe(true);
  // A line whose sync failed is on the disk, although it was not acknowledged.
  expect(lives.some(({ written, acknowledged }) => written > acknowledged)).toBe(true);
  const mended = await Promise.all(SEEDS.map((seed) => append(seed, 60, true)));
  expect(mended.every(({ counts }) => Object.keys(counts).length === 0)).toBe(true);
});
