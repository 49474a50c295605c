import type { Goal, Standing } from "../../../src/chain/follow/followed.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { type Failure, RelayctlError } from "../../../src/errors.ts";
import { awaitRows } from "../../../src/payments/run/await-rows.ts";
import type { PaymentWorld } from "../../../src/payments/run/running.ts";
import { type RowEnd, type SendBounds, sendRows } from "../../../src/payments/run/send.ts";
import { PAYMENT_TURN } from "../../../src/timing.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { receiver } from "../../helpers/payouts.ts";
import { SERVER } from "../../helpers/test-app.ts";

/** Sends rows; `fails` decides by row. */
async function run(count: number, fails: (row: number) => Error | undefined, bounds: Partial<SendBounds> = {}) {
  const ends = new Map<number, RowEnd>();
  const sent: number[] = [];
  let [current, most] = [0, 0];
  const usual = { concurrency: 1, stopAfter: 10, interrupt: new AbortController().signal };
  const stop = await sendRows(
    Array.from({ length: count }, (_, index) => ({ row: index + 1, body: {} })),
    { ...usual, ...bounds },
    async ({ row }) => {
      sent.push(row);
      most = Math.max(most, ++current);
      await new Promise((resolve) => setImmediate(resolve));
      current--;
      const error = fails(row);
      if (error) throw error;
      return { id: `t${row}` };
    },
    ({ row }, end) => ends.set(row, end),
  );
  return { stop, sent, most, ends: [...ends].sort(([one], [other]) => one - other).map(([, { end }]) => end) };
}

const failure = (word: Failure) => new RelayctlError(word, word);

describe("rows are sent", () => {
  test("each once, in order, and several at a time", async () => {
    const { sent, most, ends, stop } = await run(20, () => undefined, { concurrency: 4 });
    expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(most).toBe(4);
    expect(new Set(ends)).toEqual(new Set(["sent"]));
    expect(stop).toBeUndefined();
  });

  test("none after a stop, even if some wait for their turn", async () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const refused = () => failure("auth");
    expect(await run(8, refused, { concurrency: 4, turn, stopAfter: 1 })).toMatchObject({
      sent: [1, 2, 3, 4],
      stop: { stopped: "error" },
    });
    const interrupt = AbortSignal.abort();
    expect(await run(8, refused, { turn, interrupt })).toMatchObject({ sent: [], stop: { stopped: "interrupted" } });
  });

  test("none if there are none", async () =>
    expect(await run(0, () => undefined)).toMatchObject({ sent: [], stop: undefined }));
});

describe("a row that fails", () => {
  test.each<[Failure, RowEnd["end"]]>([
    ["rejected", "refused"],
    ["network", "refused"],
    ["usage", "refused"],
    ["unknown", "unknown"],
  ])("with %s is %s, and the others are sent", async (word, end) => {
    const { ends, stop } = await run(3, (row) => (row === 2 ? failure(word) : undefined));
    expect(ends).toEqual(["sent", end, "sent"]);
    expect(stop).toBeUndefined();
  });

  test("is unknown if another transaction was accepted than the row", async () => {
    for (const applied of ["unknown", "yes"] as const) {
      const { ends } = await run(1, () => new RelayctlError("mismatch", "another value", { applied }));
      expect(ends).toEqual(["unknown"]);
    }
  });

  test.each<[Failure]>([["auth"], ["conflict"], ["rate_limited"], ["io"], ["declined"], ["not_found"]])(
    "with %s stops the run, and counts as not sent",
    async (word) => {
      const { ends, sent, stop } = await run(5, (row) => (row === 2 ? failure(word) : undefined));
      expect(ends).toEqual(["sent", "unsent"]);
      expect(sent).toEqual([1, 2]);
      expect(stop).toMatchObject({ stopped: "error", error: { failure: word } });
    },
  );

  test("does not stop a run with its last row", async () => {
    const { sent, stop } = await run(3, () => failure("unknown"), { stopAfter: 3 });
    expect(sent).toHaveLength(3);
    expect(stop).toBeUndefined();
  });

  test("stops the run after so many failures, of which a lost response is one", async () => {
    const { sent, stop } = await run(9, (row) => failure(row % 2 === 0 ? "unknown" : "rejected"), { stopAfter: 3 });
    expect(sent).toEqual([1, 2, 3]);
    expect(stop).toEqual({ stopped: "failures" });
  });

  test("with a bug ends the run with that bug", () =>
    expect(run(2, () => new TypeError("bug"))).rejects.toThrow(TypeError));
});

test("an interrupt starts no further row, and awaits those in progress", async () => {
  const interrupt = new AbortController();
  const { ends, sent, stop } = await run(
    20,
    (row) => {
      if (row === 3) interrupt.abort("interrupted");
      return undefined;
    },
    { concurrency: 2, interrupt: interrupt.signal },
  );
  expect(stop).toEqual({ stopped: "interrupted" });
  expect(sent.length).toBeLessThanOrEqual(5);
  expect(ends).toHaveLength(sent.length);
});

test("no row is started once the time of the command is over", async () => {
  let left = 2;
  const { sent, stop } = await run(5, () => void left--, { remaining: () => left });
  expect(sent).toEqual([1, 2]);
  expect(stop).toEqual({ stopped: "deadline" });
});

const PAGE = 1000;
const START = Date.parse("2026-11-21T03:12:07Z");
const limited = () => new RelayctlError("rate_limited", "too many requests", { retryable: true });
const notFound = () => new RelayctlError("not_found", "not found");

/** The record of row N: the lower its number, the older it is. */
function record(row: number, status: string): Transaction {
  const created = new Date(START + row).toISOString();
  return { id: `tx-${row}`, created_at: created, to: receiver(row), value: "5", data: null, status };
}

interface Reads {
  /** The records of the relayer, newest first, at this time. */
  list?: (elapsed: number) => Transaction[];
  /** Whether a page fails by rate. */
  isLimited?: (page: number, elapsed: number) => boolean;
  get?: (id: string, elapsed: number) => Transaction;
  /** The first hundred records, as they are read while transactions are followed. */
  followed?: () => Transaction[];
}

/** Waits for these rows without the chain, with a service that counts the requests. */
async function awaited(
  rows: readonly number[],
  reads: Reads,
  { limit = 600_000, until = "confirmed" as Goal["until"] } = {},
) {
  const { list = () => [], isLimited = () => false, followed = () => [] } = reads;
  const { get = () => raise(notFound()) } = reads;
  const interrupt = new AbortController().signal;
  const clock = manualClock(START, interrupt);
  const counts = { pages: 0, singles: 0, after: 0 };
  const count = (what: "pages" | "singles") => {
    counts[what]++;
    if (clock.elapsed() >= limit) counts.after++;
  };
  const tx = {
    async *list(_: string, { page }: { page?: number }) {
      if (page !== undefined) return void (yield { items: followed() });
      const all = list(clock.elapsed());
      for (let from = 0; from === 0 || from < all.length; from += PAGE) {
        count("pages");
        if (isLimited(from / PAGE + 1, clock.elapsed())) throw limited();
        yield { items: all.slice(from, from + PAGE) };
      }
    },
    async get(_: string, id: string) {
      count("singles");
      return { data: get(id, clock.elapsed()) };
    },
  };
  const world = {
    ...{ clock, interrupt, count: () => {}, ownNode: async () => undefined, journal: memoryJournal() },
    briefly: () => ({ tx, relayers: { get: async () => ({ data: { network_type: "evm" } }) } }) as unknown as Client,
    remaining: () => limit - clock.elapsed(),
  } as unknown as PaymentWorld;
  const ends = new Map<number, Standing["end"]>();
  await awaitRows(
    world,
    {
      payerId: { server: SERVER, relayerId: "base-hot" },
      plan: { goal: { until }, usesChain: false },
      awaited: rows.map((row) => ({
        payment: { row, line: row + 1, to: receiver(row), value: 5n, request: {} },
        transactionId: `tx-${row}`,
      })),
    },
    { settled: ({ row }, { end }) => void ends.set(row, end), repeated: ({ row }) => raise(new Error(`row ${row}`)) },
  );
  const endsWith = (end: Standing["end"]) => [...ends.values()].filter((each) => each === end).length;
  return { counts, ends, endsWith, elapsed: clock.elapsed(), slept: clock.slept };
}

function raise(error: Error): never {
  throw error;
}

function rowsFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => last - index);
}

const ROWS = rowsFrom(5001, 8000);

describe("thousands of payments", () => {
  test("read the list no further than the oldest open one, whatever else the relayer ever sent", async () => {
    const all = rowsFrom(1, 8000);
    // A hundred more end with each second.
    const list = (elapsed: number) =>
      all.map((row) => record(row, row <= 5000 + elapsed / 10 ? "confirmed" : "submitted"));
    const { counts, endsWith, elapsed } = await awaited(ROWS, { list });
    expect(endsWith("reached")).toBe(3000);
    const rounds = elapsed / 1_000;
    expect(counts.pages).toBeLessThan(2.5 * rounds);
    expect(elapsed).toBeLessThan(45_000);
  });

  test("read what the list no longer has one by one, and the whole list once", async () => {
    const old = rowsFrom(1, 5000).map((row) => record(row, "confirmed"));
    const get = (id: string) => record(Number(id.slice(3)), "confirmed");
    const { counts, endsWith } = await awaited(ROWS, { list: () => old, get });
    expect(endsWith("reached")).toBe(3000);
    expect(counts.pages).toBe(5);
    expect(counts.singles).toBeLessThan(3800);
  });

  test("end within the deadline if the service deleted all of their records", async () => {
    const { counts, endsWith, elapsed } = await awaited(ROWS, {});
    expect(endsWith("gone")).toBe(3000);
    expect(counts).toMatchObject({ pages: 1, singles: 3000 });
    expect(elapsed).toBeLessThan(600_000);
  });

  test("settle the pages before the one that is refused by rate, and wait longer and longer", async () => {
    const list = () => ROWS.map((row) => record(row, "confirmed"));
    const isLimited = (page: number, elapsed: number) => page === 3 && elapsed < 60_000;
    const { counts, endsWith, elapsed, slept } = await awaited(ROWS, { list, isLimited });
    expect(endsWith("reached")).toBe(3000);
    expect(elapsed).toBeLessThan(100_000);
    expect(Math.max(...slept)).toBeGreaterThan(15_000);
    expect(counts.pages).toBeLessThan(50);
  });

  test("end as pending when the time has run out, and nothing is read after that", async () => {
    const list = () => ROWS.map((row) => record(row, row % 2 === 0 ? "confirmed" : "submitted"));
    const { counts, endsWith, elapsed } = await awaited(ROWS, { list }, { limit: 90_000 });
    expect(endsWith("reached")).toBe(1500);
    expect(endsWith("pending")).toBe(1500);
    expect(elapsed).toBe(90_000);
    expect(counts.after).toBe(0);
    expect(counts.pages).toBeLessThan(120);
  });

  test("are reached, but for one that is no longer mined when the time runs out", async () => {
    const undecided = record(8000, "submitted");
    const list = () => ROWS.map((row) => record(row, "mined"));
    const get = (id: string) => (id === "tx-8000" ? undecided : record(Number(id.slice(3)), "mined"));
    const reads = { list, get, followed: () => [undecided] };
    const { ends, endsWith, elapsed } = await awaited(ROWS, reads, { limit: 3 * PAYMENT_TURN, until: "mined" });
    expect(endsWith("reached")).toBe(2999);
    expect(ends.get(8000)).toBe("pending");
    expect(elapsed).toBe(3 * PAYMENT_TURN);
  });
});
