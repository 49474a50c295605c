import fc from "fast-check";
import { isJsonObject, type JsonObject, parseJson } from "../../../src/contract/json.ts";
import { csvSourceRecords } from "../../../src/payments/file/source-rows.ts";
import { ROW_STATES, type RowOutcome } from "../../../src/payments/outcome.ts";
import { type Payment, type PaymentFile, placesIn } from "../../../src/payments/payment.ts";
import type { ReportedRun } from "../../../src/payments/report/report.ts";
import { reportPieces } from "../../../src/payments/report/write-report.ts";
import { ALICE } from "../file/reading.ts";

function fileOf(payments: readonly Payment[]): PaymentFile {
  const total = payments.reduce((sum, { value }) => sum + value, 0n);
  const name = "payouts.csv";
  return {
    name,
    placeText: placesIn(name),
    sha256: "ab".repeat(32),
    kind: "evm",
    payments,
    total,
  };
}

/** A run of payments, and what became of each. */
function endedRun(
  payments: readonly Payment[],
  outcomes: readonly RowOutcome[],
): [run: ReportedRun, outcomeOf: (row: number) => RowOutcome] {
  const run = { run: "r-1", relayer: "evm-1", network: "mainnet", coin: "ETH", file: fileOf(payments) };
  return [run, (row) => outcomes[row - 1] ?? { row, state: "waiting" }];
}

function reportText(name: string, payments: readonly Payment[], outcomes: readonly RowOutcome[]): string {
  return [...reportPieces(name, ...endedRun(payments, outcomes))].join("");
}

function reportFor(payments: readonly Payment[], outcomes: readonly RowOutcome[]): JsonObject {
  const report = parseJson(reportText("report.json", payments, outcomes));
  return isJsonObject(report) ? report : {};
}

const payment = (row: number, value: bigint, label?: string): Payment => ({
  row,
  line: row + 1,
  to: ALICE,
  value,
  ...(label !== undefined && { label }),
  request: {},
});

test("a report has every row, and what became of it", () => {
  const hash = `0x${"12".repeat(32)}`;
  const report = reportFor(
    [payment(1, 10n ** 18n, "march"), payment(2, 5n)],
    [
      {
        row: 1,
        state: "confirmed",
        transactionId: "t-1",
        hash,
        block: 7,
        fee: 21_000n,
        verdict: "mined",
        byRecord: true,
      },
      { row: 2, state: "unknown", why: "the response was lost" },
    ],
  );
  const none = { payments: 0, sum: "0" };
  expect(report).toEqual({
    run: "r-1",
    relayer: "evm-1",
    network: "mainnet",
    coin: "ETH",
    file: "payouts.csv",
    sha256: "ab".repeat(32),
    total: { payments: 2, sum: "1000000000000000005" },
    states: {
      ...Object.fromEntries(ROW_STATES.map((state) => [state, none])),
      confirmed: { payments: 1, sum: "1000000000000000000" },
      unknown: { payments: 1, sum: "5" },
    },
    by_record: { payments: 1, sum: "1000000000000000000" },
    fees_paid: "21000",
    payments: [
      {
        ...{ row: 1, label: "march", to: ALICE, value: "1000000000000000000", state: "confirmed", hash },
        ...{ transaction_id: "t-1", block: 7, fee_paid: "21000", verdict: "mined", why: null, by_record: true },
      },
      {
        ...{ row: 2, label: null, to: ALICE, value: "5", state: "unknown", hash: null, block: null },
        ...{ transaction_id: null, fee_paid: null, verdict: null, why: "the response was lost", by_record: null },
      },
    ],
  });
});

const outcome = fc.record({ state: fc.constantFrom(...ROW_STATES), fee: fc.option(fc.bigInt(0n, 2n ** 90n)) });
const content = fc.tuple(fc.bigInt(0n, 2n ** 256n - 1n), outcome);

test("file, states, rows of JSON, and rows of CSV sum up to the same wei", () => {
  fc.assert(
    fc.property(fc.array(content, { maxLength: 30 }), (rows) => {
      const payments = rows.map(([value], index) => payment(index + 1, value));
      const outcomes = rows.map(([, { state, fee }], index) => ({
        ...{ row: index + 1, state },
        ...(fee !== null && { fee }),
      }));
      const report = reportFor(payments, outcomes);
      const json = Array.isArray(report.payments) ? report.payments.filter(isJsonObject) : [];
      const [header, ...csv] = [
        ...csvSourceRecords(reportText("report.csv", payments, outcomes), () => expect.unreachable()),
      ];
      const column = (name: string) => header?.fields.indexOf(name) ?? -1;
      const sum = (texts: readonly unknown[]) => texts.reduce((all: bigint, each) => all + BigInt(String(each)), 0n);
      const { total } = fileOf(payments);
      const states = Object.values(isJsonObject(report.states) ? report.states : {}).filter(isJsonObject);
      expect(sum(states.map((each) => each.sum))).toBe(total);
      expect(sum(json.map(({ value }) => value))).toBe(total);
      expect(sum(csv.map(({ fields }) => fields[column("value")]))).toBe(total);
      const fees = outcomes.reduce((all, { fee = 0n }) => all + fee, 0n);
      expect(BigInt(String(report.fees_paid))).toBe(fees);
      expect(sum(csv.map(({ fields }) => fields[column("fee_paid")] || "0"))).toBe(fees);
    }),
  );
});

test("no label is a formula in a spreadsheet", () => {
  const labels = ["=1+1", "+1-2", "-x", "@SUM(A1)", "\t=1", 'a "quoted", one', "＝1"];
  const payments = labels.map((label, index) => payment(index + 1, 1n, label));
  const [header, ...rows] = [...csvSourceRecords(reportText("r.csv", payments, []), () => expect.unreachable())];
  const at = header?.fields.indexOf("label") ?? -1;
  for (const { fields } of rows) expect(fields[at]).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
  expect(rows[0]?.fields[at]).toBe("'=1+1");
  expect(rows[5]?.fields[at]).toBe('a "quoted", one');
});

test("a report of thousands of rows has each of them once, in both formats", () => {
  const payments = Array.from({ length: 1_234 }, (_, index) => payment(index + 1, BigInt(index)));
  const report = reportFor(payments, []);
  const numbers = payments.map(({ row }) => row);
  expect(Array.isArray(report.payments) && report.payments.map((row) => isJsonObject(row) && row.row)).toEqual(numbers);
  const [header, ...rows] = csvSourceRecords(reportText("r.csv", payments, []), () => expect.unreachable());
  const at = header?.fields.indexOf("row") ?? -1;
  expect(rows.map(({ fields }) => Number(fields[at]))).toEqual(numbers);
});
