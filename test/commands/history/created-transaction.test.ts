import { expect, test } from "vitest";
import { createdTransaction } from "../../../src/commands/history/settle/created-transaction.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import type { RecordedWrite } from "../../../src/journal/writes.ts";
import { intent, NOON, outcome } from "./recorded.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const BODY = { to: TO, value: 5, data: "0x", gas_limit: 21_000, speed: "fast" };
const SENT: RecordedWrite = {
  intent: intent("a", { operation: "tx.send", kind: "once", body: BODY }),
  outcome: outcome("a", { applied: "unknown" }),
};

function record(id: string, more: object = {}): Transaction {
  const created_at = new Date(NOON + 5).toISOString();
  return {
    id,
    to: TO.toUpperCase().replace("X", "x"),
    value: "0x5",
    data: null,
    gas_limit: 21_000,
    created_at,
    ...more,
  };
}

function found(
  records: readonly Transaction[],
  more: { created?: string[]; open?: RecordedWrite[]; write?: RecordedWrite } = {},
) {
  const { created = [], write = SENT, open = [write] } = more;
  const result = createdTransaction(write, { records, created: new Set(created), open });
  return "record" in result ? result.record.id : result.because;
}

test("the only transaction that agrees is the write's", () => {
  expect(found([record("t1"), record("t2", { value: "6" })])).toBe("t1");
});

test.each([
  ["receiver", { to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906" }],
  ["value", { value: 6 }],
  ["data", { data: "0x01" }],
  ["gas limit", { gas_limit: 21_001 }],
  ["time before the write", { created_at: new Date(NOON - 1).toISOString() }],
])("one with another %s is not", (_, more) => {
  expect(found([record("t1", more)])).toContain("no transaction that was created since then matches");
});

test("one of another write is not", () => {
  expect(found([record("t1")], { created: ["t1"] })).toContain("no transaction");
  expect(found([record("t1"), record("t2")], { created: ["t1"] })).toBe("t2");
});

test("of several that agree none is", () => {
  expect(found([record("t1"), record("t2")])).toBe("2 transactions that were created since then match it");
  expect(found([record("t1"), record("t2", { created_at: null })])).toContain("2 transactions");
});

test("one that two writes of unknown outcome may have created is neither's", () => {
  const other = { intent: intent("b", { operation: "tx.send", body: { ...BODY, speed: "fastest" } }) };
  expect(found([record("t1")], { open: [SENT, other] })).toContain("matches 2 writes of unknown outcome");
  const later = { intent: { ...other.intent, time: new Date(NOON + 60_000).toISOString() } };
  expect(found([record("t1")], { open: [SENT, later] })).toContain("matches 2 writes of unknown outcome");
});

test("one that was created long after the command ended may be somebody else's", () => {
  const late = (milliseconds: number) =>
    found([record("t1", { created_at: new Date(NOON + milliseconds).toISOString() })]);
  expect(late(60_000)).toBe("t1");
  expect(late(60_100)).toContain("created too long after it");
  expect(
    found([record("t1", { created_at: new Date(NOON + 170_000).toISOString() })], { write: { intent: SENT.intent } }),
  ).toBe("t1");
});

test("a request without a gas limit agrees with any", () => {
  const { gas_limit: _, ...body } = BODY;
  expect(found([record("t1", { gas_limit: 30_000 })], { write: { ...SENT, intent: { ...SENT.intent, body } } })).toBe(
    "t1",
  );
});

test("only EVM transactions can be recognized", () => {
  const body = { operations: [], source_account: "G" };
  expect(found([record("t1")], { write: { ...SENT, intent: { ...SENT.intent, body } } })).toContain(
    "only an EVM transaction",
  );
});
