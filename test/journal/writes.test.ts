import { appliedOf, type Entry, journalNewestFirst, type RecordedWrite, writesOf } from "../../src/journal/journal.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { intent, outcome } from "./entries.ts";

const TWO_WRITES = [intent("a"), intent("b"), outcome("b"), outcome("a", { applied: "no" })];

async function newestFirst(entries: readonly Entry[], since?: number): Promise<RecordedWrite[]> {
  const journal = memoryJournal();
  for (const entry of entries) await journal.append(entry);
  const writes: RecordedWrite[] = [];
  for await (const write of journalNewestFirst(journal, since)) writes.push(write);
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
