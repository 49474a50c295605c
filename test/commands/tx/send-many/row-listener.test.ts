import { createClient } from "../../../../src/library.ts";
import {
  copyPaymentSource,
  type PaymentToSend,
  type SendManyOptions,
} from "../../../../src/payments/library/options.ts";
import { createRowListener, paidRow } from "../../../../src/payments/library/send-many.ts";
import { receiver } from "../../../helpers/payouts.ts";

const FILE = { payments: [{ row: 1, to: "0x1", value: 1n }] } as never;
const OUTCOME = { row: 1, state: "sent" } as never;

test("what a listener throws during the run waits for its end, and what it throws later does not", () => {
  const onRow = () => {
    throw new Error("of the listener");
  };
  const during = createRowListener(FILE, { onRow } as never);
  expect(() => during.noted(OUTCOME)).not.toThrow();
  expect(during.stopped?.aborted).toBe(true);
  expect(() => during.rethrow()).toThrow();
  const after = createRowListener(FILE, { onRow } as never);
  expect(() => after.rethrow()).not.toThrow();
  expect(() => after.noted(OUTCOME)).toThrow();
});

test("a listener that threw is not called again, and what it threw first is thrown at the end", () => {
  const called: number[] = [];
  const onRow = ({ row }: { row: number }) => {
    called.push(row);
    throw new Error(`row ${row}`);
  };
  const payments = [1, 2].map((row) => ({ row, to: "0x1", value: 1n }));
  const listener = createRowListener({ payments } as never, { onRow } as never);
  for (const row of [1, 2, 3]) listener.noted({ row, state: "sent" } as never);
  expect(called).toEqual([1]);
  expect(() => listener.rethrow()).toThrow("row 1");
});

test("what asynchronous listeners reject with first is thrown at the end", async () => {
  const onRow = ({ row }: { row: number }) => Promise.reject(new Error(`row ${row}`));
  const payments = [1, 2].map((row) => ({ row, to: "0x1", value: 1n }));
  const listener = createRowListener({ payments } as never, { onRow } as never);
  for (const row of [1, 2]) listener.noted({ row, state: "sent" } as never);
  await Promise.resolve();
  expect(listener.stopped?.aborted).toBe(true);
  expect(() => listener.rethrow()).toThrow("row 1");
});

test("without a listener nothing stops the run", () => {
  const listener = createRowListener(FILE, {} as never);
  listener.noted(OUTCOME);
  expect(listener.stopped).toBeUndefined();
  expect(() => listener.rethrow()).not.toThrow();
});

test("a row has the label of its payment, if there is one", () => {
  const payment = { to: "0x1", value: 1n };
  expect(paidRow(payment as never, OUTCOME)).toEqual({ row: 1, state: "sent", ...payment });
  const labeled = { ...payment, label: "rent" };
  expect(paidRow(labeled as never, OUTCOME)).toEqual({ row: 1, state: "sent", ...labeled });
});

const OPTIONS: SendManyOptions = { state: "runs", confirm: 1n };

test("payments that a program changes after the call stay as they were", () => {
  const payments = [{ to: receiver(1), value: 1n }];
  const source = copyPaymentSource({ payments });
  Object.assign(payments[0] ?? {}, { to: receiver(2), value: 2n });
  payments.push({ to: receiver(3), value: 3n });
  expect(source).toMatchObject({ payments: [{ to: receiver(1), value: 1n }] });
});

test("a member is read once, also from a getter of a class", () => {
  let reads = 0;
  class Row {
    to = receiver(1);
    get value(): bigint {
      return BigInt(++reads);
    }
  }
  const source = copyPaymentSource({ payments: [new Row()] });
  const [payment] = "payments" in source ? source.payments : [];
  expect([payment?.value, payment?.value, reads]).toEqual([1n, 1n, 1]);
});

test("a client validates the payments that it was called with", async () => {
  const client = createClient({ server: "http://127.0.0.1:9", token: "token" });
  const payments = [{ to: "0x12", value: 1n }];
  const sending = client.tx.sendMany("base-hot", { payments }, { ...OPTIONS, speed: "fast" });
  Object.assign(payments[0] ?? {}, { to: receiver(1) });
  await expect(sending).rejects.toMatchObject({ failure: "usage", details: [{ where: "payments[0].to" }] });
});

test.each([null, undefined, 5, "0x12"])("a list with %s in place of a payment is refused", async (payment) => {
  const client = createClient({ server: "http://127.0.0.1:9", token: "token" });
  const payments = [payment] as unknown as PaymentToSend[];
  await expect(client.tx.sendMany("base-hot", { payments }, OPTIONS)).rejects.toMatchObject({
    failure: "usage",
    details: [{ where: "payments[0]", rule: "must be an object with to and value" }],
  });
});
