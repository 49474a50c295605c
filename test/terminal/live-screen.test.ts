import { type LiveEntry, liveScreen } from "../../src/terminal/live-screen.ts";
import { createStyle } from "../../src/terminal/style.ts";

const HASH = `0x${"ab".repeat(32)}`;

function entry(id: string, more: Partial<LiveEntry> = {}): LiveEntry {
  return {
    id,
    place: ["eth-main-1", "mainnet"],
    facts: ["nonce 8", "1m 12s"],
    phases: [
      { word: "pending", state: "done" },
      { word: "submitted", state: "now" },
      { word: "mined", state: "ahead" },
    ],
    lines: [
      { label: "fee", text: { text: "11.9 gwei, base fee 14.2 gwei: likely too low", tone: "warn" } },
      { label: "hash", text: { text: HASH } },
    ],
    isEnded: false,
    ...more,
  };
}

async function screen(entries: readonly LiveEntry[], more: object = {}) {
  const style = await createStyle(false);
  const terminal = { columns: 80, rows: 22, style, ...more };
  return liveScreen(entries, terminal).split("\n").slice(0, -1);
}

const many = Array.from({ length: 9 }, (_, index) => entry(`tx-${index + 1}`, { isEnded: index < 2 }));

describe("a transaction", () => {
  test("takes a block", async () =>
    expect(await screen([entry("tx-1")])).toEqual([
      "tx-1  eth-main-1 · mainnet · nonce 8 · 1m 12s",
      " ✓ pending  ● submitted  ○ mined",
      " fee   11.9 gwei, base fee 14.2 gwei: likely too low",
      ` hash  ${HASH}`,
    ]));

  test("is wrapped in a narrow terminal, but never inside a hash", async () => {
    const id = "83620d65-864d-4d12-bc0b-d5ff2aaceab2";
    expect(await screen([entry(id)], { columns: 30 })).toEqual([
      id,
      " eth-main-1 · mainnet",
      " nonce 8 · 1m 12s",
      " ✓ pending  ● submitted",
      " ○ mined",
      " fee   11.9 gwei, base fee",
      "       14.2 gwei: likely too",
      "       low",
      " hash",
      `  ${HASH}`,
    ]);
  });

  test("cannot print control characters", async () => {
    const lines = await screen([
      entry("tx-1", { facts: ["\u001b[2J"], lines: [{ label: "why", text: { text: "\u001b]0;x\u0007" } }] }),
    ]);
    expect(lines.join("")).not.toContain("\u001b");
  });
});

describe("several transactions", () => {
  test("take a line each if their blocks do not fit", async () => {
    const low = entry("tx-3", { alert: "fee likely too low" });
    expect(await screen([entry("tx-1"), entry("tx-2"), low], { rows: 8 })).toEqual([
      "● submitted  tx-1  nonce 8 · 1m 12s",
      "● submitted  tx-2  nonce 8 · 1m 12s",
      "● submitted  tx-3  fee likely too low · nonce 8 · 1m 12s",
    ]);
  });

  test("name their relayers if those differ", async () => {
    const other = entry("tx-2", { place: ["base-hot", "base"] });
    const [first, second] = await screen([entry("tx-1"), other], { rows: 2 });
    expect([first, second]).toEqual([
      "● submitted  tx-1  eth-main-1 · mainnet · nonce 8 · 1m 12s",
      "● submitted  tx-2  base-hot · base · nonce 8 · 1m 12s",
    ]);
  });

  test("leave out the facts that do not fit on a line", async () =>
    expect((await screen(many, { columns: 30 }))[0]).toBe("● submitted  tx-1  nonce 8"));

  test("are counted if there are more than fit, those that ended first", async () => {
    const lines = await screen(many, { rows: 5 });
    expect(lines.map((line) => line.split("  ")[1] ?? line)).toEqual([
      "tx-3",
      "tx-4",
      "tx-5",
      "tx-6",
      "and 5 more: 3 in progress, 2 ended",
    ]);
  });
});
