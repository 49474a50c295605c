import fc from "fast-check";
import { MOST_ROWS } from "../../../src/payments/file/read-payments.ts";
import {
  drawLedgerOffsets,
  ledgerFingerprint,
  ledgerOffset,
  mostLedgerOffset,
} from "../../../src/payments/run/ledger.ts";

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
