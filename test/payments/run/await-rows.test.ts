import type { Goal, Standing } from "../../../src/chain/follow/followed.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { awaitRows } from "../../../src/payments/run/await-rows.ts";
import type { PaymentWorld } from "../../../src/payments/run/running.ts";
import { PAYMENT_TURN } from "../../../src/timing.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { receiver } from "../../helpers/payouts.ts";
import { SERVER } from "../../helpers/test-app.ts";

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
