import { processes, whoRuns } from "../../src/job-control.ts";
import { appliedOf, isAwaited, isInProgress, isLost, type WriteOutcome, writesOf } from "../../src/journal/journal.ts";
import { isJournalProcessRunning } from "../../src/journal/open-journal.ts";
import { intent, outcome } from "../journal/entries.ts";

type Applied = WriteOutcome["applied"];

const EXPECTED: readonly (readonly [
  recorded: readonly Applied[],
  isRunning: boolean,
  state: Applied | "in progress",
])[] = [
  [[], true, "in progress"],
  [[], false, "unknown"],
  [["unknown"], true, "unknown"],
  [["unknown"], false, "unknown"],
  [["yes"], true, "yes"],
  [["no"], true, "no"],
  [["unknown", "yes"], false, "yes"],
  [["yes", "unknown"], true, "yes"],
  [["unknown", "no"], false, "no"],
  [["no", "unknown"], false, "no"],
  [["no", "yes"], false, "yes"],
  [["unknown", "unknown"], true, "unknown"],
];

test.each(EXPECTED)("a write with the outcomes %j, whose process runs: %s, is %s", (recorded, runs, state) => {
  const entries = [intent("a"), ...recorded.map((applied) => outcome("a", { applied }))];
  const [write] = writesOf(entries);
  const journal = { isRunning: () => runs };
  expect(write && (isAwaited(write, journal) ? "in progress" : appliedOf(write))).toBe(state);
  expect(write && isLost(write, journal)).toBe(state === "unknown");
});

test("a run is in progress while the process of any of its intents runs", () => {
  const writes = writesOf([intent("a", { pid: 1 }), outcome("a"), intent("b", { pid: 2 }), outcome("b")]);
  expect(isInProgress(writes, { isRunning: ({ pid }) => pid === 2 })).toBe(true);
  expect(isInProgress(writes, { isRunning: () => false })).toBe(false);
});

test("a process is known by its number, its host, and when it started", () => {
  const known = { own: 1, host: () => "here", isRunning: (pid: number) => pid === 7, startOf: () => "5" };
  const as = { host: "here", pid: 7, started: "5" };
  expect(isJournalProcessRunning(intent("a", as), known)).toBe(true);
  for (const other of [{ host: "there" }, { pid: 8 }, { started: "6" }])
    expect(isJournalProcessRunning(intent("a", { ...as, ...other }), known)).toBe(false);
  // An entry of an earlier version has neither.
  expect(isJournalProcessRunning(intent("a", { host: "here" }), known)).toBe(false);
});

test("this process recognizes its intents, and not those of an earlier one with its number", () => {
  expect(isJournalProcessRunning(intent("a", whoRuns()), processes)).toBe(true);
  expect(isJournalProcessRunning(intent("a", { ...whoRuns(), started: "1" }), processes)).toBe(
    process.platform === "win32",
  );
});
