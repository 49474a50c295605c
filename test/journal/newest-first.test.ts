import { appliedOf, type Entry, type RecordedWrite, walkWrites, writesOf } from "../../src/journal/journal.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { intent, outcome } from "./entries.ts";
import { all, appendEach, opened } from "./opened.ts";

describe("the newest entries", () => {
  const at = (id: string, time: string, more = {}) => intent(id, { time, ...more });
  const ENTRIES = [
    at("w1", "2026-09-30T10:00:00.000Z"),
    at("w2", "2026-10-31T10:00:00.000Z"),
    at("w3", "2026-11-21T10:00:00.000Z"),
    at("w4", "2026-11-22T10:00:00.000Z"),
  ];

  test.each([
    [undefined, ["w4", "w3", "w2", "w1"]],
    ["2026-09-01T00:00:00Z", ["w4", "w3", "w2", "w1"]],
    ["2026-10-31T10:00:00Z", ["w4", "w3", "w2"]],
    ["2026-11-22T00:00:00Z", ["w4"]],
    ["2027-01-01T00:00:00Z", []],
    ["a time that cannot be read", ["w4", "w3", "w2", "w1"]],
  ])("yields the entries since %s, newest first, like the journal of the tests", async (since, ids) => {
    const moment = since === undefined ? undefined : Date.parse(since);
    for (const journal of [opened().journal, memoryJournal()]) {
      await appendEach(journal, ENTRIES);
      expect((await all(journal, moment)).map(({ id }) => id)).toEqual(ids);
    }
  });

  test("yields the entries of a file of many blocks, whatever the length of their lines", async () => {
    const { journal } = opened();
    const lengths = [10, 300_000, 262_144, 262_143, 5, 1_000_000, 0, 524_288, 40];
    const entries = lengths.map((length, index) => intent(`w${index}`, { reason: "r".repeat(length) }));
    await appendEach(journal, entries);
    expect(await all(journal)).toEqual(entries.toReversed());
  });

  test("skips lines that are too long or not of this program, and an incomplete end", async () => {
    const { journal, add } = opened();
    await journal.append(intent("w1"));
    add(`{"v":1,"type":"intent","id":"long","data":"${"x".repeat(10 * 2 ** 20)}"}\n`);
    add('\n[]\n{"v":1}\nnot JSON\n');
    add(JSON.stringify({ v: 1, ...intent("w2") }));
    expect(await all(journal)).toEqual([intent("w1")]);
    expect(await journal.find("w1")).toEqual([intent("w1")]);
    expect(await journal.find("long")).toEqual([]);
    expect((await journal.verify()).fault).toMatchObject({ line: 2, what: "added" });
  });

  test("can be left early", async () => {
    const { journal } = opened();
    await appendEach(journal, ENTRIES);
    for await (const { id } of journal.newestFirst()) {
      expect(id).toBe("w4");
      break;
    }
  });

  test("yields the same entries faster if numbers may be rounded", async () => {
    const { journal } = opened();
    const entries = [intent("w1", { body: { url: "https://example.org", weight: 7 } }), intent("w2")];
    await appendEach(journal, entries);
    const found: Entry[] = [];
    for await (const entry of journal.newestFirst(undefined, { mayRound: true })) found.push(entry);
    expect(found).toEqual(entries.toReversed());
  });
});

const TWO_WRITES = [intent("a"), intent("b"), outcome("b"), outcome("a", { applied: "no" })];

async function newestFirst(entries: readonly Entry[], since?: number): Promise<RecordedWrite[]> {
  const journal = memoryJournal();
  for (const entry of entries) await journal.append(entry);
  const writes: RecordedWrite[] = [];
  for await (const write of walkWrites(journal, since)) writes.push(write);
  return writes;
}

test("writes come newest first, in the order of their intents, each with its outcome", async () => {
  const b = { intent: intent("b"), outcome: outcome("b") };
  const a = { intent: intent("a"), outcome: outcome("a", { applied: "no" }) };
  expect(await newestFirst(TWO_WRITES)).toEqual([b, a]);
  expect(writesOf(TWO_WRITES)).toEqual([a, b]);
});

test("the last outcome of a write counts", async () => {
  const settled = outcome("a", { settledLater: true });
  const entries = [intent("a"), outcome("a", { applied: "unknown" }), settled];
  expect(await newestFirst(entries)).toEqual([{ intent: intent("a"), outcome: settled }]);
  expect(writesOf(entries)).toEqual([{ intent: intent("a"), outcome: settled }]);
});

test("an unknown outcome that a run records after another command has settled it does not count", async () => {
  const settled = outcome("a", { settledLater: true });
  const entries = [intent("a"), settled, outcome("a", { applied: "unknown" })];
  expect(await newestFirst(entries)).toEqual([{ intent: intent("a"), outcome: settled }]);
  expect(writesOf(entries)).toEqual([{ intent: intent("a"), outcome: settled }]);
});

test("of outcomes that are all unknown, the last one counts", async () => {
  const over = outcome("a", { applied: "unknown", isOver: true });
  const entries = [intent("a"), outcome("a", { applied: "unknown" }), over];
  expect(await newestFirst(entries)).toEqual([{ intent: intent("a"), outcome: over }]);
  expect(writesOf(entries)).toEqual([{ intent: intent("a"), outcome: over }]);
});

test("a write without an outcome is unknown", async () => {
  const [write] = await newestFirst([intent("a")]);
  expect(write && [write, appliedOf(write)]).toEqual([{ intent: intent("a") }, "unknown"]);
  expect(writesOf([intent("a")]).map(appliedOf)).toEqual(["unknown"]);
});

test("an outcome whose intent is missing is left out", async () => {
  expect(await newestFirst([outcome("gone"), intent("a")])).toEqual([{ intent: intent("a") }]);
  expect(writesOf([outcome("gone"), intent("a")])).toEqual([{ intent: intent("a") }]);
});

test("a write from before the requested time is left out, even if its outcome is newer", async () => {
  const early = intent("a", { time: "2026-11-22T11:00:00.000Z" });
  expect(await newestFirst([early, outcome("a")], Date.parse("2026-11-22T11:30:00.000Z"))).toEqual([]);
});
