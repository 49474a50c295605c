import fc from "fast-check";
import { csvSourceRecords } from "../../../src/payments/file/source-rows.ts";

const refuse = (place: { line: number; column: number }, rule: string) => {
  throw new Error(`${place.line}:${place.column} ${rule}`);
};

/** Writes a field as RFC 4180 allows: in quotes if it must be, or if the writer likes to. */
function written(field: string, inQuotes: boolean): string {
  return inQuotes || /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

const field = fc.tuple(fc.string({ unit: fc.constantFrom(...'ab",;\r\n\t é€') }), fc.boolean());
const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });

test("whatever is written as RFC 4180 allows is read as it was", () => {
  fc.assert(
    fc.property(table, fc.constantFrom("\n", "\r\n"), fc.boolean(), (records, lineEnd, endsInLine) => {
      const lines = records.map((fields) => fields.map(([text, inQuotes]) => written(text, inQuotes)).join(","));
      const text = lines.join(lineEnd) + (endsInLine ? lineEnd : "");
      const found = [...csvSourceRecords(text, refuse)];
      expect(found.map(({ fields }) => fields)).toEqual(records.map((fields) => fields.map(([each]) => each)));
      const rows = text.split("\n");
      for (const [index, { line, fields, placeOf }] of found.entries()) {
        expect(placeOf(0)).toEqual({ line, column: 1 });
        for (const [at] of fields.entries()) {
          const place = placeOf(at);
          const first = records[index]?.[at];
          const begins = written(first?.[0] ?? "", first?.[1] ?? false).split("\n")[0] ?? "";
          expect(rows[place.line - 1]?.slice(place.column - 1).startsWith(begins)).toBe(true);
        }
      }
    }),
  );
});

test("any text is read to its end, and every mistake has a place in it", () => {
  const text = fc.string({ unit: fc.constantFrom(...'a",\r\n'), maxLength: 30 });
  fc.assert(
    fc.property(text, (content) => {
      const lines = content.split("\n");
      const places: { line: number; column: number }[] = [];
      const records = [...csvSourceRecords(content, (place) => places.push(place))];
      expect(records.length + places.length).toBeLessThanOrEqual(lines.length);
      for (const { line, column } of places) {
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeGreaterThan(0);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
      }
    }),
  );
});

test("a field of many megabytes of quotes is read once", () => {
  const quotes = '""'.repeat(5_000_000);
  const [record] = [...csvSourceRecords(`"${quotes}"\n`, () => {})];
  expect(record?.fields[0]).toHaveLength(5_000_000);
});
