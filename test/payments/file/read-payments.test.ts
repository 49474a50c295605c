import { readFileSync } from "node:fs";
import fc from "fast-check";
import { PaymentList } from "../../../src/payments/file/read-payments.ts";
import { csvSourceRecords } from "../../../src/payments/file/source-rows.ts";
import { type Payment, paymentsOf } from "../../../src/payments/payment.ts";
import { DEEP } from "../../helpers/deep.ts";
import { ALICE, BOB, errorOf, problemsOf, read } from "./reading.ts";

test("a file is payments with exact amounts, their sum, and the hash of its bytes", async () => {
  const file = await read(`to,value,label\n${ALICE},0.01eth,march\n${BOB},80gwei,\n`);
  expect(file.payments).toEqual([
    { row: 1, line: 2, label: "march", to: ALICE, value: 10n ** 16n, request: { speed: "fast" } },
    { row: 2, line: 3, to: BOB, value: 80n * 10n ** 9n, request: { speed: "fast" } },
  ]);
  expect(file.total).toBe(10_000_080_000_000_000n);
  expect(file.coin).toMatchObject({ coin: "eth", text: "0.01eth", where: "payouts.csv:2:44 row 1, value" });
  expect(file.sha256).toBe("82121766c4d39e4ef936cbd3cc7bbc1f8263219a02d128b71b2ccfa13c1345cc");
});

test("a byte order mark, CRLF, quotes, and empty lines change nothing", async () => {
  const plain = await read(`to,value,label\n${ALICE},1,"a, ""b"""\n${BOB},2,c`);
  const other = await read(`\ufeffto,"value",label\r\n\r\n"${ALICE}",1,"a, ""b"""\r\n${BOB},"2",c\r\n\r\n`);
  const content = ({ payments }: typeof plain) => payments.map(({ line: _, ...rest }) => rest);
  expect(content(other)).toEqual(content(plain));
  expect(plain.payments[0]?.label).toBe('a, "b"');
  expect(other.payments.map(({ line }) => line)).toEqual([3, 4]);
});

test("NDJSON has the same names, and integers above 2^53 are exact", async () => {
  const file = await read(
    `{"to":"${ALICE}","value":9007199254740993,"gas_limit":21000,"label":null}\n\n{"value":"1eth","to":"@alice","speed":"average"}\n`,
    { name: "payouts.ndjson" },
  );
  expect(file.payments).toEqual([
    { row: 1, line: 1, to: ALICE, value: 9_007_199_254_740_993n, gasLimit: 21_000n, request: { speed: "fast" } },
    { row: 2, line: 3, to: ALICE, value: 10n ** 18n, request: { speed: "average" } },
  ]);
});

test("the content decides the format of stdin", async () => {
  const [csv, ndjson] = [`to,value\n${ALICE},1\n`, `{"to":"${ALICE}","value":1}\n`];
  expect((await read(csv, { name: "stdin" })).total).toBe(1n);
  expect((await read(ndjson, { name: "stdin" })).total).toBe(1n);
});

test("a price of the row takes the place of the price for all rows", async () => {
  const { payments } = await read(
    `to,value,speed,gas_price,max_fee_per_gas,max_priority_fee_per_gas,valid_until,gas_limit\n${ALICE},1,safeLow,,,,,\n${ALICE},2,,30gwei,,,2026-02-01T00:00:00Z,25000\n${ALICE},3,,,30gwei,2gwei,,\n${ALICE},4,,,,,,\n`,
  );
  expect(payments.map(({ request }) => request)).toEqual([
    { speed: "safeLow" },
    { gas_price: 30_000_000_000n, valid_until: "2026-02-01T00:00:00Z" },
    { max_fee_per_gas: 30_000_000_000n, max_priority_fee_per_gas: 2_000_000_000n },
    { speed: "fast" },
  ]);
  expect(payments[1]?.gasLimit).toBe(25_000n);
});

test("data is hex, or a call by its signature with its arguments", async () => {
  const { payments } = await read(
    `to,value,data,call,arg1,arg2\n${BOB},0,0xd0e30db0,,,\n${BOB},0,,"transfer(address,uint256)",@alice,1e18\n`,
  );
  const word = ALICE.slice(2).padStart(64, "0");
  expect(payments.map(({ data }) => data)).toEqual([
    "0xd0e30db0",
    `0xa9059cbb${word}${(10n ** 18n).toString(16).padStart(64, "0")}`,
  ]);
});

test.each([
  ["", "payouts.csv: is empty"],
  ["\r\n \r\n", "payouts.csv: is empty"],
  ["to,value\n", "payouts.csv: has no payments"],
  [`${ALICE},1\n`, "payouts.csv:1:1: the header is missing; the first line lists the columns, e.g. to,value,label"],
  [`to;value\n${ALICE};1\n`, 'payouts.csv:1:1: columns are separated by ";"; separate them with commas'],
  [`to\tvalue\n${ALICE}\t1\n`, "payouts.csv:1:1: columns are separated by tabs; separate them with commas"],
  [`to,label\n${ALICE},1\n`, "payouts.csv:1:1 header: the column value is missing"],
  [`to,value,to\n${ALICE},1,${ALICE}\n`, "payouts.csv:1:10 header to: repeats a column"],
  [`to,value\n${ALICE}\n`, "payouts.csv:2:1 row 1: has 1 fields, and the header has 2"],
  [`to,value\n${ALICE},"1\n${BOB},2\n`, "payouts.csv:2:44: a quote that is not closed"],
  [`to,value\n"${ALICE}"x,1\n`, "payouts.csv:2:45: text after a closing quote; double each quote inside a field"],
  [
    `to,value\n${ALICE},1\r${BOB},1\n`,
    "payouts.csv:2:45: a carriage return without a line feed; end lines in LF or CRLF",
  ],
  [`to,value\n${ALICE},1\n\0\n`, "payouts.csv:3:1: a NUL byte; the file is damaged, or not saved as UTF-8"],
  [
    `to,value\n0x3C44cdDdB6a900fa2b585dd299e03d12FA4293Bc,1\n`,
    "payouts.csv:2:1 row 1, to 0x3C44cdDdB6a900fa2b585dd299e03d12FA4293Bc: the checksum of this address is wrong: look for a mistyped digit",
  ],
  [`to,value\n0x3c44,1\n`, "payouts.csv:2:1 row 1, to 0x3c44: an address has 40 hex digits, this one has 4"],
  [`to,value\n @alice,1\n`, "payouts.csv:2:1 row 1, to  @alice: begins or ends with a space; remove it"],
  [`to,value\n@bob,1\n`, "payouts.csv:2:1 row 1, to @bob: unknown label"],
  [`to,value\n,1\n`, "payouts.csv:2:1 row 1, to: is missing: every row needs a receiver"],
  [`to,value\n${ALICE},\n`, "payouts.csv:2:44 row 1, value: is missing: every row needs an amount"],
  [`to,value\n${ALICE},1.5\n`, "payouts.csv:2:44 row 1, value 1.5: needs a unit or a whole number of wei, e.g. 1.5eth"],
  [
    `to,value\n${ALICE},-1\n`,
    "payouts.csv:2:44 row 1, value -1: needs digits, optionally with a unit, e.g. 1.5eth, 80gwei or 21000",
  ],
  [`to,value\n${ALICE},1gwie\n`, /row 1, value 1gwie: has an unknown unit \(did you mean gwei\?\)/],
  [`to,value\n0x${"0".repeat(40)},1\n`, /row 1, to 0x0+: is the zero address: the amount would be lost/],
  [
    `to,value,gas_limit\n${ALICE},1,20999\n`,
    "payouts.csv:2:46 row 1, gas_limit 20999: gas_limit is too low, intrinsic gas is 21000 and gas_limit is 20999",
  ],
  [`to,value,gas_limit\n${ALICE},1,21k\n`, "payouts.csv:2:46 row 1, gas_limit 21k: needs a whole number of gas"],
  [`to,value,data\n${ALICE},1,0xabc\n`, "payouts.csv:2:46 row 1, data 0xabc: has an odd number of hex digits"],
  [
    `to,value,speed\n${ALICE},1,fats\n`,
    /row 1, speed fats: one of fastest, fast, average, safeLow \(did you mean fast\?\)/,
  ],
  [
    `to,value,gas_price\n${ALICE},1,30\n`,
    "payouts.csv:2:46 row 1, gas_price 30: has no unit: did you mean 30gwei? (30wei if you do mean wei)",
  ],
  [`to,value,speed,gas_price\n${ALICE},1,fast,30gwei\n`, /row 1, speed fast: Cannot mix different transaction types/],
  [
    `to,value,valid_until\n${ALICE},1,2026-01-31T11:59:59Z\n`,
    /row 1, valid_until .*: The validUntil time cannot be in the past/,
  ],
  [`to,value,label\n${ALICE},1,"a\nb"\n`, /row 1, label a\nb: has a line break or another control character/],
  [`to,value,call,data\n${ALICE},0,f(),0x\n`, "payouts.csv:2:46 row 1, call f(): cannot be combined with data"],
  [`to,value,call\n${ALICE},0,transfer\n`, /row 1, call transfer: needs the types of its parameters/],
  [`to,value,call,arg1\n${ALICE},0,"f(uint8)",256\n`, /^payouts.csv:2:57 row 1, arg1 256: /],
  [
    `to,value,call,arg1\n${ALICE},0,"f(uint8,uint8)",2\n`,
    "payouts.csv:2:46 row 1, call f(uint8,uint8): f(uint8,uint8) takes 2 arguments: arg1 to arg2; the row has 1",
  ],
  [`to,value,arg1\n${ALICE},0,2\n`, /row 1, call: is missing: the row has arguments/],
])("%j is refused with its place and what to do", async (content, expected) => {
  const problems = await problemsOf(content);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
});

test.each([
  [
    '{"to":"@alice","value":1.5}',
    'payouts.ndjson:1:16 row 1, value: needs a whole number, or a text with a unit, e.g. "0.01eth"',
  ],
  [
    '{"to":"@alice","value":1e3}',
    'payouts.ndjson:1:16 row 1, value: needs a whole number, or a text with a unit, e.g. "0.01eth"',
  ],
  ['{"to":"@alice","value":true}', "payouts.ndjson:1:16 row 1, value: needs a text or a whole number"],
  ['{"to":"@alice","value":1,"value":2}', "payouts.ndjson:1:26 row 1: is not JSON: duplicate field name"],
  ["[1]", /^payouts.ndjson:1:1 row 1: needs an object, e.g. /],
  ['\n{"to":"@alice"', "payouts.ndjson:2:15 row 1: is not JSON: expected }"],
  [
    '{"to":"@alice","value":1,"amount":2}',
    /^payouts.ndjson:1:26 row 1, amount: unknown column \(did you mean value\?\)/,
  ],
])("%j is refused as a line of NDJSON", async (content, expected) => {
  const problems = await problemsOf(content, { name: "payouts.ndjson" });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
});

test.each([
  ["0x3c44", "1", "21000", "fast", ""],
  [BOB, "1.5", "21000", "fast", ""],
  [BOB, `${2n ** 256n}`, "21000", "fast", ""],
  [`0x${"0".repeat(40)}`, "5", "21000", "fast", ""],
  [BOB, "5", "20999", "fast", ""],
  [BOB, "5", "21000", "fats", ""],
  [BOB, "5", "21000", "fast", "0xabc"],
])("a row with the terms of earlier rows has the problems that it has alone: %s,%s,%s,%s,%s", async (...cells) => {
  const header = "to,value,gas_limit,speed,data";
  const earlier = [1, 2, 3].map((value) => `${ALICE},${value},21000,fast,`);
  const alone = await problemsOf([header, cells.join(",")].join("\n"));
  const after = await problemsOf([header, ...earlier, cells.join(",")].join("\n"));
  expect(alone).not.toEqual([]);
  expect(after).toEqual(alone.map((problem) => problem.replace(":2:", ":5:").replace("row 1,", "row 4,")));
});

test("an unknown column is refused with the nearest one", async () => {
  const [problem, ...others] = await problemsOf(`to,value,gas_limt\n${ALICE},1,25000\n`);
  expect(problem).toMatch(/^payouts.csv:1:10 header gas_limt: unknown column \(did you mean gas_limit\?\)$/);
  expect(others).toEqual([]);
});

test("the usual columns of a spreadsheet lead to those of a payment, without the list of all", async () => {
  expect(await problemsOf(`Receiver,Amount,Memo\n${ALICE},1,march\n`)).toEqual([
    "payouts.csv:1:1 header Receiver: unknown column (did you mean to?)",
    "payouts.csv:1:10 header Amount: unknown column (did you mean value?)",
    "payouts.csv:1:17 header Memo: unknown column (did you mean label?)",
    "payouts.csv:1:1 header: the column to is missing",
    "payouts.csv:1:1 header: the column value is missing",
  ]);
});

test("bytes that are not UTF-8 are refused with their line", async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode("to,value,label\n@alice,1,"), 0xe9, 0x0a]);
  expect(await problemsOf(bytes)).toEqual(["payouts.csv:2:1: is not UTF-8; save it as UTF-8"]);
  expect(await problemsOf(new Uint8Array([0xff, 0xfe, 0x74, 0]))).toEqual(["payouts.csv: is UTF-16; save it as UTF-8"]);
});

test("two rows that pay the same are refused with both rows, unless that is allowed", async () => {
  const content = `to,value\n${ALICE},1\n${BOB},1\n${ALICE.replace("c", "C").toLowerCase()},1wei\n`;
  expect(await problemsOf(content)).toEqual([
    `payouts.csv:4:1 row 3, to ${ALICE}: same receiver and amount as row 1; if both are meant, use --allow-duplicates`,
  ]);
  expect((await read(content, { allowDuplicates: true })).total).toBe(3n);
});

test("a label that two rows have is refused with both rows, even if duplicates are allowed", async () => {
  const content = `to,value,label\n${ALICE},1,x\n${BOB},1,x\n`;
  expect(await problemsOf(content, { allowDuplicates: true })).toEqual([
    "payouts.csv:3:46 row 2, label x: row 1 has this label too; each label is unique",
  ]);
});

test("mixed coins are refused; eth and ether are the same coin", async () => {
  expect(await problemsOf(`to,value\n${ALICE},1eth\n${BOB},1pol\n`)).toEqual([
    "payouts.csv: mixes coins: eth in row 1, and pol in row 2; a relayer has one",
  ]);
  expect((await read(`to,value\n${ALICE},1eth\n${BOB},1ETHER\n`)).coin?.coin).toBe("eth");
});

test("a price that is missing everywhere is one problem", async () =>
  expect(await problemsOf(`to,value\n${ALICE},1\n${BOB},1\n`, { defaults: {} })).toEqual([
    "payouts.csv: has no price for 2 rows, the first is row 1; specify --speed, or a speed in each row",
  ]));

test("all problems come at once: the first 20 for a reader, all of them as data", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => `${index === 3 ? ALICE : "0x12"},${index + 1}`);
  const error = await errorOf(`to,value\n${rows.join("\n")}\n`);
  expect(error.exitCode).toBe(2);
  expect(error.message).toBe("29 problems, nothing was sent");
  expect(error.details).toHaveLength(29);
  expect(error.summary).toHaveLength(21);
  expect(error.summary?.at(-1)).toBe("and 9 more problems; -o json lists all of them");
});

test("a wrong address in row 4,711 of 5,000 is found, and nothing else", async () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => {
    const to = `0x${(index + 1).toString(16).padStart(40, "a")}`;
    return `${index === 4_710 ? to.slice(0, -1) : to},${index}gwei`;
  });
  expect(await problemsOf(`to,value\n${rows.join("\n")}\n`)).toEqual([
    "payouts.csv:4712:1 row 4711, to 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa126: an address has 40 hex digits, this one has 39",
  ]);
});

test.runIf(DEEP)("more rows than a run may have are refused", async () => {
  const rows = Array.from({ length: 100_001 }, (_, index) => `${ALICE},${index + 1}`);
  expect(await problemsOf(`to,value\n${rows.join("\n")}\n`)).toEqual([
    "payouts.csv:100002:1: more than 100,000 rows; split the file, and send its parts one after the other",
  ]);
});

test("a header of many megabytes is an unknown column", async () =>
  expect(await problemsOf("x".repeat(20_000_000))).toHaveLength(3));

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

const example = (name: string) => readFileSync(`docs/examples/payouts/${name}`, "utf8");

test("the examples in both formats are the same payments, and the guide shows the file", async () => {
  const csv = await read(example("payouts.csv"));
  const ndjson = await read(example("payouts.ndjson"), { name: "payouts.ndjson" });
  const content = ({ payments }: typeof csv) => payments.map(({ line: _, ...rest }) => rest);
  expect(content(ndjson)).toEqual(content(csv));
  expect(readFileSync("docs/guides/payouts.md", "utf8")).toContain(example("payouts.csv"));
});
