import { describe, expect, test } from "vitest";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import type { Attempt } from "../../../src/payments/run/attempt.ts";
import { type Found, findRecords } from "../../../src/payments/run/find.ts";
import { fingerprintOf } from "../../../src/payments/run/fingerprint.ts";

const START = Date.parse("2026-11-23T10:00:00Z");
const HOUR = 3_600_000;
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

function record(id: string, after: number, more: Partial<Transaction> = {}): Transaction {
  const created = new Date(START + after).toISOString();
  return { id, created_at: created, to: TO, value: "0x5", data: null, gas_limit: 30_007, status: "pending", ...more };
}

const PAID = { to: TO, value: "5", gas_limit: 30_007 };

function attempt(id = "a1", more: Partial<Attempt> = {}): Attempt {
  return { id, row: 1, time: START, since: START, fingerprint: fingerprintOf(PAID), outcome: "open", ...more };
}

function world(records: readonly Transaction[], more: Partial<Found> = {}): Found {
  return {
    async *records() {
      yield* records;
    },
    read: async (id) => records.find((each) => each.id === id) ?? record(id, 0),
    belongsToOther: async () => false,
    rivals: async () => new Set(),
    ...more,
  };
}

async function found(service: Found, ...attempts: readonly Attempt[]): Promise<[string, string][]> {
  const records = await findRecords(service, attempts);
  return [...records].map(([id, { id: transaction }]) => [id, transaction]);
}

describe("the record of an attempt", () => {
  test("is the only one that was created after it and agrees with it", async () => {
    const records = [record("t3", 900, { gas_limit: 30_008 }), record("t2", 500), record("t1", -10)];
    expect(await found(world(records), attempt())).toEqual([["a1", "t2"]]);
  });

  test.each<[string, Partial<Transaction>]>([
    ["receiver", { to: TO.replace("3c", "4c") }],
    ["value", { value: "0x6" }],
    ["data", { data: "0x00" }],
    ["gas limit", { gas_limit: 30_006 }],
  ])("has the same %s", async (_, other) => {
    expect(await found(world([record("t1", 5, other)]), attempt())).toEqual([]);
  });

  test("is not known if two agree", async () => {
    expect(await found(world([record("t2", 9), record("t1", 5)]), attempt())).toEqual([]);
  });

  test("is not known if it could be that of another attempt", async () => {
    expect(await found(world([record("t1", 5)]), attempt("a1"), attempt("a2", { row: 2 }))).toEqual([]);
  });

  test("is not known if another write could have created it", async () => {
    const rivals = async () => new Set([fingerprintOf(PAID) ?? ""]);
    expect(await found(world([record("t1", 5)], { rivals }), attempt())).toEqual([]);
  });

  test("does not belong to another write", async () => {
    const belongsToOther = async (id: string) => id === "t1";
    expect(await found(world([record("t1", 5)], { belongsToOther }), attempt())).toEqual([]);
  });

  test("is not known if it was deleted meanwhile, which leaves the others alone", async () => {
    const other = { to: TO, value: "6", gas_limit: 30_008 };
    const records = [record("t2", 2, other), record("t1", 1)];
    const read = async (id: string) => (id === "t1" ? undefined : records[0]);
    const second = attempt("a2", { fingerprint: fingerprintOf(other) });
    expect(await found(world(records, { read }), attempt(), second)).toEqual([["a2", "t2"]]);
  });

  test("still agrees when it is read again", async () => {
    const read = async () => record("t1", 5, { value: "0x0" });
    expect(await found(world([record("t1", 5)], { read }), attempt())).toEqual([]);
  });

  test.each<[string, Transaction]>([
    ["before it", record("t1", -1)],
    ["hours after it", record("t1", 2 * HOUR)],
    ["at an unknown time", { ...record("t1", 0), created_at: null }],
    ["at a time that cannot be read", { ...record("t1", 0), created_at: "yesterday" }],
  ])("was not created %s", async (_, one) => {
    expect(await found(world([one]), attempt())).toEqual([]);
  });

  test("is found up to an hour later", async () => {
    expect(await found(world([record("t1", HOUR)]), attempt())).toEqual([["a1", "t1"]]);
  });

  test("cannot be found if the journal does not have the request", async () => {
    expect(await found(world([record("t1", 5)]), attempt("a1", { fingerprint: undefined }))).toEqual([]);
  });
});

test("the list is read once for all attempts, and not beyond the first of them", async () => {
  let read = 0;
  const many = Array.from({ length: 50 }, (_, index) =>
    record(`t${index}`, 100 - index, { gas_limit: 40_000 + index }),
  );
  const service = world([], {
    async *records() {
      for (const each of [...many, record("old", -1), record("older", -2)]) {
        read++;
        yield each;
      }
    },
    read: async (id) => many.find((each) => each.id === id) ?? record(id, 0),
  });
  const attempts = many.map((each, index) => attempt(`a${index}`, { row: index, fingerprint: fingerprintOf(each) }));
  expect(await found(service, ...attempts)).toHaveLength(50);
  expect(read).toBe(51);
});

test("nothing is read without an attempt", async () => {
  const records = () => {
    throw new Error("was read");
  };
  expect(await found(world([], { records }))).toEqual([]);
});
