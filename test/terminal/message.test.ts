import fc from "fast-check";
import type { Message } from "../../src/message.ts";
import { receiptWords } from "../../src/session/receipt-words.ts";
import { drawnMessage, type MessageTerminal } from "../../src/terminal/message.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { alignWidths } from "../../src/terminal/width.ts";

const plain = await createStyle(false);
const colored = await createStyle(true);
const SENT = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const HASHES = [`0x${"a1".repeat(32)}`, `0x${"b2".repeat(32)}`] as const;

function drawn(line: Message, terminal: Partial<MessageTerminal> = {}): string {
  return drawnMessage(line, { columns: 60, style: plain, ...terminal });
}

describe("a line for the user on a terminal", () => {
  test("has a hanging indent where it is wrapped", () => {
    const reason = "the connection was reset after the request had left";
    expect(drawn({ error: `unknown whether it was applied: ${reason}` })).toBe(`\
error: unknown whether it was applied: the connection was
       reset after the request had left
`);
    expect(drawn(`  at 03:12:07Z the service shows the old value: ${reason}`)).toBe(`\
  at 03:12:07Z the service shows the old value: the
    connection was reset after the request had left
`);
  });

  test("hangs below the first column if it is a row", () =>
    expect(drawn({ row: ["  ", "to", "       ", `0x${"1".repeat(40)}`, "  ", `0x${"2".repeat(40)}`] })).toBe(`\
  to       0x${"1".repeat(40)}
           0x${"2".repeat(40)}
`));

  test("hangs below the first column if the row begins the line", () =>
    expect(
      drawn({ row: ["", "record", "   ", "nonce 5 is used on the chain, but its record still says submitted"] }),
    ).toBe(`\
record   nonce 5 is used on the chain, but its record still
         says submitted
`));

  test("keeps the cells of a row together", () => {
    expect(
      drawn({ row: ["  ", "fee", "    ", "12.5 gwei, tip 1 gwei", "            ", "set by the service, 10% more"] }),
    ).toBe(`\
  fee    12.5 gwei, tip 1 gwei
         set by the service, 10% more
`);
    const cells = ["r1", "nonce 41", "submitted", "0.05 ETH", "the relayer was paused before"];
    expect(drawn(alignWidths([cells], "    ")[0] ?? "")).toBe(`\
    r1  nonce 41  submitted  0.05 ETH
        the relayer was paused before
`);
  });

  test("shows a command in the column of its label, below it, or in lines that can be pasted", () => {
    const command = "relayctl -c prod tx wait eth-main-1 83620d65-864d-4d12-bc0b-d5ff2aaceab2";
    const follow = (columns: number) => drawn({ follow: command }, { columns });
    expect(follow(83)).toBe(`  follow   ${command}\n`);
    expect(follow(80)).toBe(`  follow\n  ${command}\n`);
    expect(follow(60)).toBe(
      "  follow\n  relayctl -c prod tx wait eth-main-1 \\\n    83620d65-864d-4d12-bc0b-d5ff2aaceab2\n",
    );
    expect(drawn(`    ${command}`, { columns: 74 })).toBe(`  ${command}\n`);
    expect(drawn({ hint: command }, { columns: 74 })).toBe(`  hint:\n  ${command}\n`);
  });

  test("has a sign before an outcome, and its hashes on separate lines", () => {
    const cells = ["replacement accepted in prod, not final yet"];
    const facts = [["before", HASHES[0]] as const, ["now", HASHES[1]] as const];
    expect(drawn({ done: "", cells, facts })).toBe(`\
✓ replacement accepted in prod, not final yet
  before
  ${HASHES[0]}
  now
  ${HASHES[1]}
`);
  });

  test("stands below the outcome that it belongs to", () => {
    expect(drawn({ detail: "the earlier version stays valid" })).toBe("  the earlier version stays valid\n");
    expect(drawn({ detail: "  gas_price_cap  80 gwei → 120 gwei" })).toBe("  gas_price_cap  80 gwei → 120 gwei\n");
  });

  test("escapes what could act", () => expect(drawn({ note: "\u001b[2J\n" })).toBe("note: \\u{1b}[2J\\u{a}\n"));

  test.each([
    [{ error: "x" }, "\u001b[31m\u001b[1merror:\u001b[22m\u001b[39m x\n"],
    [{ warning: "x" }, "\u001b[33mwarning:\u001b[39m x\n"],
    [{ note: "x" }, "\u001b[2mnote:\u001b[22m x\n"],
    [{ hint: "x" }, "\u001b[2m  hint:\u001b[22m x\n"],
    [{ see: "x" }, "  \u001b[2msee\u001b[22m      x\n"],
    [{ row: ["  ", "fee", "  ", "x"] }, "  \u001b[2mfee\u001b[22m  x\n"],
    [{ row: ["  ", "to", "  ", "x"] }, "  \u001b[2mto\u001b[22m  \u001b[1mx\u001b[22m\n"],
    ["a plain line", "a plain line\n"],
  ])("colors the words that say what it is: %s", (line, shown) => expect(drawn(line, { style: colored })).toBe(shown));

  test.each([
    [["eth-main-1 in prod", "resumed"], "✓ eth-main-1 in prod   resumed\n"],
    [["r1 in prod", "gas_price_cap  80 gwei → 120 gwei"], "✓ r1 in prod   gas_price_cap  80 gwei → 120 gwei\n"],
    [["created hot-2 in http://127.0.0.1:8080"], "✓ created hot-2 in http://127.0.0.1:8080\n"],
    [
      ["paused 3 relayers in prod", "base-hot, eth-main-1, polygon-bulk"],
      "✓ paused 3 relayers in prod\n  base-hot, eth-main-1, polygon-bulk\n",
    ],
  ])("shows the cells of an outcome as far as the line has room: %s", (cells, shown) => {
    expect(drawn({ done: "", cells })).toBe(shown);
  });

  test.each([
    [receiptWords.changed("prod", "r1", "resumed"), ["r1"]],
    [receiptWords.sent("prod", SENT, "sent"), [SENT]],
    [receiptWords.created("prod", "r1"), []],
    [receiptWords.deleted("prod", "relayer r1"), []],
    [receiptWords.changedMany("prod", "3 relayers paused", ["3 relayers paused"]), []],
    [receiptWords.applied("prod", "1 relayer paused, 5 cancellations requested"), []],
  ])("makes the ID of a receipt bold, and no verb: %o", (outcome, bold) => {
    const shown = drawn(outcome, { style: colored });
    expect([...shown.matchAll(/\u001b\[1m(.*?)\u001b\[22m/g)].map(([, text]) => text)).toEqual(bold);
  });

  test("shows the first digits of a run, which are enough to undo it", () => {
    const run = "603b519f-5d1e-4b7a-9c46-0a1b2c3d4e5f";
    expect(drawn({ error: `run ${run} cannot be undone` })).toBe("error: run 603b519f cannot be undone\n");
    expect(drawn({ undo: `relayctl undo ${run}` })).toBe("  undo     relayctl undo 603b519f\n");
    expect(drawn({ follow: `relayctl tx get r1 ${run}` })).toContain(run);
  });

  test("shows a protected context in inverse video", () => {
    const style = colored;
    expect(drawn("delete relayer in-prod in prod", { style, context: "prod" })).toBe(
      "delete relayer in-prod in \u001b[7mprod\u001b[27m\n",
    );
    expect(drawn({ done: "", cells: ["x in prod", "y"] }, { style, context: "prod" })).toContain(
      "in \u001b[7mprod\u001b[27m   y",
    );
    expect(drawn("in production", { style, context: "prod" })).toBe("in production\n");
  });
});

test("no word and no command is broken at any width", () => {
  const command = fc.constantFrom(...COMMANDS);
  const word = fc.constantFrom(
    ...HASHES,
    "--gas-limit",
    "eth-main-1",
    "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
    "is",
    "paused,",
  );
  const start = fc.constantFrom<(text: string) => Message>(
    (error) => ({ error }),
    (warning) => ({ warning }),
    (undo) => ({ undo }),
    (text) => ({ row: ["  ", "to", "   ", text] }),
    (text) => `  ${text}`,
    (done) => ({ done }),
    (text) => text,
  );
  fc.assert(
    fc.property(start, fc.array(word), command, fc.integer({ min: 1, max: 140 }), (first, words, last, columns) => {
      const shown = drawn(first([...words, last].join(" ")), { columns });
      const lines = shown.replaceAll(/ \\\n +/g, " ").split("\n");
      for (const token of [...words, last])
        expect(
          lines.some((line) => line.includes(token)),
          token,
        ).toBe(true);
      const isBroken = (line: string) => line.length > columns && /\S relayctl |relayctl .*\S \S/.test(line);
      if (columns >= 40) expect(shown.split("\n").filter(isBroken)).toEqual([]);
    }),
  );
});

const COMMANDS = ["relayctl relayers resume eth-main-2", "relayctl -c prod tx list eth-main-1 --where 'value>0.1 eth'"];
