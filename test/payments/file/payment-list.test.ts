import { expect, test } from "vitest";
import { PaymentList } from "../../../src/payments/file/read-payments.ts";
import { type Payment, paymentsOf } from "../../../src/payments/payment.ts";
import { ALICE, BOB } from "./reading.ts";

const FAST = { speed: "fast" };

function payment(row: number, more: Partial<Payment> = {}): Payment {
  return { row, line: row + 1, to: row % 2 === 0 ? ALICE : BOB, value: BigInt(row), request: FAST, ...more };
}

function listOf(payments: readonly Payment[]): PaymentList {
  const list = new PaymentList();
  for (const each of payments) list.add(each);
  return list;
}

test("returns what was added, in order, as often as it is read", () => {
  const payments = Array.from({ length: 1000 }, (_, index) => payment(index + 1));
  const list = listOf(payments);
  expect(list).toHaveLength(1000);
  expect([...list]).toEqual(payments);
  expect([...list]).toEqual(payments);
});

test.each<[string, Partial<Payment>]>([
  ["a label", { label: "José", value: 2n ** 256n - 1n }],
  ["a label in any script", { label: "支付 💸 \\n" }],
  ["a label with half of a surrogate pair", { label: "half a pair: \ud83d" }],
  ["a call with a gas limit", { data: "0xA9059cbb", gasLimit: 2n ** 64n - 1n }],
  ["a price", { request: { max_fee_per_gas: 2n ** 60n, max_priority_fee_per_gas: 1, valid_until: "2026-02-01" } }],
  ["its place, and the case of its receiver", { line: 70_000, to: ALICE.toUpperCase().replace("0X", "0x") }],
])("keeps every member of a payment with %s", (_, more) => {
  const payments = Array.from({ length: 600 }, (_, index) => payment(index + 1, index === 300 ? more : {}));
  expect([...listOf(payments)]).toEqual(payments);
});

test("equal terms are one object", () => {
  const [first, second] = listOf([payment(1), payment(2)]);
  expect(first?.request).toBe(FAST);
  expect(second?.request).toBe(FAST);
});

test("some rows are read in the order of the file", () => {
  const list = listOf(Array.from({ length: 600 }, (_, index) => payment(index + 1)));
  const some = paymentsOf(list, new Set([599, 3, 256]));
  expect(some).toHaveLength(3);
  expect(Array.from(some, ({ row }) => row)).toEqual([3, 256, 599]);
  expect(paymentsOf(list, new Set())).toHaveLength(0);
});
