import { type Attempt, Rows } from "../../../src/payments/run/rows.ts";

let count = 0;

function attempt(outcome: Attempt["outcome"], more: Partial<Attempt> = {}): Attempt {
  return { id: `a${++count}`, run: "r", row: 1, time: 0, shape: { content: "c", gas: 1n }, outcome, ...more };
}

/** @param attempts newest first */
function rowsWith(...attempts: readonly Attempt[]): Rows {
  const rows = new Rows(2);
  for (const each of attempts) rows.add(each);
  return rows;
}

const APPLIED = { transactionId: "t1" };

test.each<[string, readonly Attempt[], string]>([
  ["waits without an attempt", [], "waiting"],
  ["is sent once one was applied", [attempt("applied", APPLIED)], "sent"],
  ["is unknown while one is open", [attempt("open")], "unknown"],
  ["is refused if one was refused", [attempt("refused", { why: "no" })], "refused"],
  ["waits if its attempts are assumed not to be sent", [attempt("assumed")], "waiting"],
  ["is unknown if one is open, whatever came later", [attempt("refused"), attempt("open")], "unknown"],
  ["is unknown if one is open, whatever came before", [attempt("open"), attempt("refused")], "unknown"],
  ["is sent by the second attempt", [attempt("applied", APPLIED), attempt("refused")], "sent"],
  ["is sent by the attempt after an assumed one", [attempt("applied", APPLIED), attempt("assumed")], "sent"],
  ["stays sent, whatever came later", [attempt("open"), attempt("applied", APPLIED)], "sent"],
  ["is unknown if the one after an assumed one is open", [attempt("open"), attempt("assumed")], "unknown"],
])("%s", (_, attempts, state) => {
  expect(rowsWith(...attempts).get(1).state).toBe(state);
  expect(rowsWith(...attempts.toReversed()).get(1).state).toBe(state);
  expect(rowsWith(...attempts).get(2).state).toBe("waiting");
});

test("shows the newest reason", () =>
  expect(rowsWith(attempt("refused", { why: "new" }), attempt("refused", { why: "old" })).get(1).why).toBe("new"));

test("is not refused once it may have been sent", () => {
  const rows = rowsWith(attempt("open"));
  rows.refused(1, "no");
  expect(rows.get(1).state).toBe("unknown");
});

describe("an attempt whose record is found", () => {
  test("sends its row", () => {
    const open = attempt("open");
    const rows = rowsWith(open);
    expect(rows.found(open, { transactionId: "t7" })).toBe(false);
    expect(rows.get(1)).toMatchObject({ state: "sent", transactionId: "t7", unsettled: [] });
    expect(rows.unsettled()).toEqual([]);
  });

  test("is reported if another attempt has sent the row too", () => {
    const assumed = attempt("assumed");
    const rows = rowsWith(attempt("applied", APPLIED), assumed);
    expect(rows.unsettled()).toEqual([assumed]);
    expect(rows.found(assumed, { transactionId: "t2" })).toBe(true);
    expect(rows.get(1).transactionId).toBe("t1");
  });
});

test("an attempt that a response refused is still looked for, unlike one that never left", () => {
  const answered = attempt("refused", { status: 400 });
  const rows = rowsWith(attempt("refused"), answered);
  expect(rows.unsettled()).toEqual([answered]);
  rows.assumeNotSent(1);
  expect(rows.get(1).state).toBe("refused");
  expect(rows.found(answered, { transactionId: "t7" })).toBe(false);
  expect(rows.get(1)).toMatchObject({ state: "sent", transactionId: "t7" });
});

test("a row that is assumed not to be sent waits, and its attempts are still looked for", () => {
  const rows = rowsWith(attempt("open"));
  rows.assumeNotSent(1);
  expect(rows.get(1).state).toBe("waiting");
  expect(rows.unsettled()).toMatchObject([{ row: 1, outcome: "assumed" }]);
});

test("rows are listed by state, in order", () => {
  const rows = new Rows(4);
  rows.sent(3, "t");
  rows.refused(2, "no");
  expect(rows.inState("waiting", "refused")).toEqual([1, 2, 4]);
  expect(() => rows.get(5)).toThrow(RangeError);
});
