import { processes, whoRuns } from "../../src/job-control.ts";
import {
  appliedOf,
  type Intent,
  isAwaited,
  isInProgress,
  isUnsettled,
  type WriteOutcome,
  writesOf,
} from "../../src/journal/journal.ts";
import { isJournalProcessRunning } from "../../src/journal/open-journal.ts";
import { findSends } from "../../src/recovery/find-sends.ts";
import { type FindingWorld, lostSendOf } from "../../src/recovery/lost-send.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
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
  expect(write && isUnsettled(write, journal)).toBe(state === "unknown");
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

describe("a requested speed", () => {
  const TO = `0x${"3c".repeat(20)}`;
  const TIME = "2026-11-21T03:00:00.000Z";
  const BODY = { to: TO, value: "1001", gas_limit: 21_000 };
  const RECORD = { id: "tx-1", to: TO, value: "0x3e9", gas_limit: 21_000, created_at: "2026-11-21T03:00:11.482+00:00" };

  function intent(changes: Partial<Intent>): Intent {
    return {
      ...{ type: "intent", id: "intent-1", run: "run-1", time: TIME, user: "ada", host: "console" },
      ...{
        server: "https://relayer.example",
        command: "relayctl tx send base-hot",
        operation: "tx.send",
        kind: "once",
      },
      ...{ method: "POST", target: "/api/v1/relayers/base-hot/transactions", ids: { relayer_id: "base-hot" } },
      ...changes,
    };
  }

  /** Looks for a request in a list with one record that agrees with it. */
  async function find(lost: Intent, record: object, others: readonly Intent[] = []) {
    const data = { ...RECORD, ...record };
    const tx = {
      async *list() {
        yield { items: [data] };
      },
      get: async () => ({ data }),
    };
    const world = {
      ...{ server: lost.server, relayerId: "base-hot", client: { tx }, now: () => Date.parse(TIME) + 200_000 },
      journal: memoryJournal({ entries: [lost, ...others] }),
    };
    const found = await findSends(world as unknown as FindingWorld, [lostSendOf(lost)]);
    return found.get(lost.id);
  }

  const SLOW = intent({ body: { ...BODY, speed: "safeLow" } });

  test.each([
    ["the requested speed", SLOW, { speed: "safeLow" }],
    ["none, as version 1.0 of the service has none", SLOW, {}],
    ["null", SLOW, { speed: null }],
    ["some speed, and none was requested", intent({ body: BODY }), { speed: "fast" }],
    [
      "another speed than a payment in bulk, whose gas limit is its own",
      intent({ body: { ...BODY, speed: "safeLow" }, payment: { row: 1 } }),
      { speed: "fast" },
    ],
  ])("a record is that of a request if it shows %s", async (_, lost, record) => {
    expect(await find(lost, record)).toMatchObject({ state: "sent" });
  });

  test("an equal payment at another speed may be that of another client, and keeps the request unknown", async () =>
    expect(await find(SLOW, { speed: "fast" })).toEqual({
      state: "unknown",
      because: "transaction tx-1 agrees with it, but was requested at another speed, or replaced since",
      candidates: ["tx-1"],
    }));

  test("a record whose speed the journal replaced is that of the request", async () => {
    const bump = intent({
      ...{ id: "intent-2", run: "run-2", time: "2026-11-21T03:01:00.000Z", operation: "tx.replace", method: "PUT" },
      ids: { relayer_id: "base-hot", transaction_id: "tx-1" },
      before: { to: TO, value: "0x3e9", gas_limit: 21_000, speed: "safeLow" },
      body: { ...BODY, value: 1001, speed: "fastest" },
    });
    expect(await find(SLOW, { speed: "fastest" }, [bump])).toMatchObject({ state: "sent" });
    const other = { ...bump, before: { ...bump.before, speed: "fast" } };
    expect(await find(SLOW, { speed: "fastest" }, [other])).toMatchObject({ state: "unknown", candidates: ["tx-1"] });
  });
});
