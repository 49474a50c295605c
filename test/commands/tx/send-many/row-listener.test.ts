import { expect, test } from "vitest";
import { createRowListener } from "../../../../src/commands/tx/send-many/library/row-listener.ts";

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
