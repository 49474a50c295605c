import { createRowListener, paidRow } from "../../../../src/payments/library/send-many.ts";

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
