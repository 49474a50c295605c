import fc from "fast-check";
import { MOST_ROWS, readPayments } from "../../../src/payments/file/read-payments.ts";
import {
  drawLedgerOffsets,
  ledgerFingerprint,
  ledgerOffset,
  mostLedgerOffset,
} from "../../../src/payments/run/ledger.ts";
import { type Attempt, Rows } from "../../../src/payments/run/rows.ts";
import { AS_FLAGS } from "../../../src/payments/run/running.ts";
import { paymentRequest } from "../../../src/payments/run/send.ts";
import { maskedBody } from "../../../src/session/journaling/masked-body.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";

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
});

describe("a fingerprint", () => {
  const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
  const fractions = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  describe("the offsets of a run", () => {
    test("differ in every row, are at least 1, and stay below 2^18", () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 3000 }), fractions, (rows, fraction) => {
          const offsets = drawLedgerOffsets(rows, fraction);
          const drawn = Array.from({ length: rows }, (_, index) => ledgerOffset(offsets, index + 1));
          expect(new Set(drawn).size).toBe(rows);
          expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1);
          expect(Math.max(...drawn)).toBeLessThanOrEqual(mostLedgerOffset(rows));
        }),
      );
    });

    test("differ in every row of the largest run", () => {
      const offsets = drawLedgerOffsets(MOST_ROWS, 0.999999);
      const drawn = new Set<number>();
      for (let row = 1; row <= MOST_ROWS; row++) drawn.add(ledgerOffset(offsets, row));
      expect(drawn.size).toBe(MOST_ROWS);
      expect(mostLedgerOffset(MOST_ROWS)).toBe(2 ** 18);
    });

    test("of two runs of one file differ in every row, unless both drew the same start", () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 500 }), fractions, fractions, (rows, one, other) => {
          const [first, second] = [drawLedgerOffsets(rows, one), drawLedgerOffsets(rows, other)];
          const equal = Array.from({ length: rows }, (_, index) => index + 1).filter(
            (row) => ledgerOffset(first, row) === ledgerOffset(second, row),
          );
          expect(equal).toHaveLength(first.start === second.start ? rows : 0);
        }),
      );
    });

    test("cost little: a small run raises no limit by more than 65,536", () => {
      expect(mostLedgerOffset(32_768)).toBe(65_536);
      expect(mostLedgerOffset(32_769)).toBe(2 ** 18);
      expect(drawLedgerOffsets(10, 0)).toEqual({ most: 65_536, start: 1 });
      expect(drawLedgerOffsets(10, 1 - 2 ** -53).start).toBe(65_536);
    });
  });

  test("is the same for a request and its record in the service's spelling", () => {
    const request = { to: TO, value: "1000000000000", gas_limit: 23_456, speed: "fast" };
    const record = { to: TO.toUpperCase().replace("0X", "0x"), value: "0xe8d4a51000", gas_limit: 23_456, data: null };
    expect(ledgerFingerprint(request)).toBe(ledgerFingerprint(record));
    expect(ledgerFingerprint({ ...request, data: "0xABCD" })).toBe(ledgerFingerprint({ ...record, data: "abcd" }));
  });

  test("differs if receiver, value, data, or gas limit differ", () => {
    const request = { to: TO, value: "5", gas_limit: 30_000, data: "0x01" };
    const others = [
      { ...request, to: TO.replace("3c", "4c") },
      { ...request, value: "6" },
      { ...request, gas_limit: 30_001 },
      { ...request, data: "0x02" },
      { ...request, data: "0x" },
    ];
    expect(new Set([request, ...others].map(ledgerFingerprint)).size).toBe(others.length + 1);
  });

  test("is missing without a value or a gas limit", () => {
    expect(ledgerFingerprint({ to: TO, value: "5" })).toBeUndefined();
    expect(ledgerFingerprint({ to: TO, gas_limit: 21_000 })).toBeUndefined();
    expect(ledgerFingerprint({ to: TO, value: "5", gas_limit: null })).toBeUndefined();
  });
});

/** A row as a naive reader understands it. */
interface Row {
  to: string;
  value: bigint;
  data: string;
  gasLimit: string;
  label: string;
}

const EDGES = [0n, 1n, 2n ** 53n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 64n + 1n, 2n ** 128n, 2n ** 256n - 1n];
const hex = (bytes: number) =>
  fc
    .array(fc.integer({ min: 0, max: 255 }), { minLength: bytes, maxLength: bytes })
    .map((all) => `0x${Buffer.from(all).toString("hex")}`);

const row: fc.Arbitrary<Row> = fc.record({
  to: hex(20).filter((to) => !/^0x0*$/.test(to)),
  value: fc.oneof(fc.constantFrom(...EDGES), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
  data: fc.oneof(fc.constantFrom("", "0x"), hex(4), hex(32), hex(68), fc.constant(`0x${"ab".repeat(131_072)}`)),
  gasLimit: fc.oneof(fc.constant(""), fc.integer({ min: 3_000_000, max: 10_000_000 }).map(String)),
  label: fc
    .string({ unit: anyCharacter, maxLength: 60 })
    .map((text) => text.replaceAll(/[\p{Cc}\p{Z}\p{Cs}\ufeff]/gu, "x")),
});

/** Labels are unique. */
const rows = fc
  .array(row, { minLength: 1, maxLength: 12 })
  .map((all) => all.map((each, index) => (each.label === "" ? each : { ...each, label: `${each.label}#${index}` })));

function csv(all: readonly Row[], { isQuoted, end, mark }: { isQuoted: boolean; end: string; mark: string }): string {
  const field = (text: string) => (isQuoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = all.map(({ label, to, data, value, gasLimit }) =>
    [label, to, data, String(value), gasLimit].map(field).join(","),
  );
  return `${mark}${["label,to,data,value,gas_limit", ...lines].join(end)}${end}`;
}

function ndjson(all: readonly Row[]): string {
  return all
    .map(({ label, to, data, value, gasLimit }) => {
      const members = { label: JSON.stringify(label), to: JSON.stringify(to), data: JSON.stringify(data) };
      const texts = Object.entries({ ...members, value: String(value), gas_limit: gasLimit || "null" });
      return `{${texts.map(([name, text]) => `"${name}": ${text}`).join(", ")}}\n`;
    })
    .join("");
}

function naive({ to, value, data, gasLimit }: Row, offset: number) {
  const isCall = data !== "" && data !== "0x";
  return { speed: "fast", to, value: String(value), ...(isCall && { data }), gas_limit: Number(gasLimit) + offset };
}

async function paymentsOf(name: string, text: string) {
  const { payments } = await readPayments(
    { name, bytes: Buffer.from(text) },
    {
      ...{ defaults: { speed: "fast" }, now: 0, allowDuplicates: true, spelling: AS_FLAGS },
      addressOf: () => ({ rule: "is a label" }),
    },
  );
  return payments;
}

const FORMS = { isQuoted: fc.boolean(), end: fc.constantFrom("\n", "\r\n"), mark: fc.constantFrom("", "\ufeff") };

test("each request is what a naive reader makes of its row, and the journal recognizes it", async () => {
  const journal = memoryJournal();
  await fc.assert(
    fc.asyncProperty(rows, fc.record(FORMS), async (all, form) => {
      const expected = all.map((each, index) => naive(each, index + 1));
      for (const [name, text] of [
        ["rows.csv", csv(all, form)],
        ["rows.ndjson", ndjson(all)],
      ] as const) {
        const payments = [...(await paymentsOf(name, text))];
        expect(payments.map(({ label = "" }) => label)).toEqual(all.map(({ label }) => label));
        const bodies = payments.map((each) => paymentRequest(each, Number(each.gasLimit ?? 0n) + each.row).body);
        expect(bodies).toEqual(expected);
        for (const body of bodies)
          expect(ledgerFingerprint((await maskedBody(body, journal)) as typeof body)).toBe(ledgerFingerprint(body));
      }
    }),
    runs(4, 1_200),
  );
});
