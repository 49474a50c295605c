import fc from "fast-check";
import { readPayments } from "../../../src/payments/file/read-payments.ts";
import { ledgerFingerprint } from "../../../src/payments/run/ledger.ts";
import { AS_FLAGS } from "../../../src/payments/run/running.ts";
import { paymentRequest } from "../../../src/payments/run/send.ts";
import { maskedBody } from "../../../src/session/journaling/masked-body.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";

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
