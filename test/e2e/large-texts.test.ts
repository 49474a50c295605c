import { chosen, DEEP } from "../helpers/deep.ts";
import { APPLIED, appliedIn, UNDO } from "../helpers/receipts.ts";
import { bash, relayctl } from "./relayctl.ts";
import { rawService, reply } from "./services/raw.ts";
import { inTerminal } from "./terminal/terminal.ts";

/** A heap that holds what is read several times, and none of what would be padded to the longest of it. */
const HEAP = { NODE_OPTIONS: "--max-old-space-size=150" };

interface Item {
  id?: string;
  [field: string]: unknown;
}

function relayer(index: number, more: Item = {}): Item {
  const state = { network: "mainnet", network_type: "evm", paused: false, system_disabled: false, policies: {} };
  return { id: `r${index}`, name: `Relayer ${index}`, ...state, address: `0x${"ab".repeat(20)}`, ...more };
}

function fleet(count: number, odd: Item): Item[] {
  return Array.from({ length: count }, (_, index) => relayer(index, index === 7 ? odd : {}));
}

/** A service that has these relayers, and pauses each as it is asked. */
async function serviceWith(relayers: readonly Item[]) {
  const { env } = await rawService((request) => {
    const [, method = "", id] = /^(\w+) \/api\/v1\/relayers(?:\/([^?\s]+))?/.exec(request) ?? [];
    const found = relayers.find((each) => each.id === id);
    if (id !== undefined) return found && reply(200, envelope({ ...found, paused: method === "PATCH" }));
    const [, page = 1, size = 1000] = (/\?page=(\d+)&per_page=(\d+)/.exec(request) ?? []).map(Number);
    const items = relayers.slice((page - 1) * size, page * size);
    return reply(200, envelope(items, { current_page: page, per_page: size, total_items: relayers.length }));
  });
  return { env };
}

function envelope(data: unknown, pagination?: object): string {
  return JSON.stringify({ success: true, data, error: null, ...(pagination && { pagination }) });
}

const MARKED = "e\u0301".repeat(10_000);
const FAMILIES = "👨‍👩‍👧‍👦".repeat(10_000);
const MEGABYTE = 2 ** 20;
const LONG = "x".repeat(MEGABYTE);

describe("a list with a very long name", () => {
  const names: readonly (readonly [string, string, string])[] = [
    ["letters with combining marks", MARKED, `${"e\u0301".repeat(119)}…`],
    ["family emoji", FAMILIES, `${"👨‍👩‍👧‍👦".repeat(59)}…`],
    ["CJK", "漢".repeat(100_000), `${"漢".repeat(59)}…`],
    ["zero-width characters", "\u200b".repeat(100_000), `${"\\u{200b}".repeat(14)}\\u{200b…`],
    ["ASCII", LONG, `${"x".repeat(119)}…`],
  ];

  test.each(chosen(names, 1))("shows the start of the name with a mark: %s", async (_, name, shown) => {
    const { env } = await serviceWith([relayer(0, { name }), relayer(1)]);
    const { exitCode, stdout, stderr } = await relayctl(["relayers", "list", "-o", "table"], { env });
    expect([exitCode, stderr]).toEqual([0, "long values cut with …: name (-o tsv has all)\n"]);
    const [header, first = "", second] = stdout.split("\n");
    expect(first).toContain(`  ${shown}  mainnet  `);
    expect(header).toMatch(/^ID {2}NAME +NETWORK {2}STATE {3}NOTIFICATION {2}ADDRESS$/);
    expect(second).toMatch(/^r1 {2}Relayer 1 {112,113}mainnet {2}active {2}–/);
  });

  test.runIf(DEEP)("fits on the terminal, also in relayers status", async () => {
    const { env } = await serviceWith([relayer(0, { name: FAMILIES }), relayer(1)]);
    const list = await inTerminal("relayctl relayers list", { env, columns: 300 });
    expect([list.exitCode, list.shown.includes("👨‍👩‍👧‍👦…")]).toEqual([0, true]);
    const reason = { type: "no room ".repeat(20_000) + FAMILIES };
    const broken = await serviceWith([relayer(0, { system_disabled: true, disabled_reason: reason }), relayer(1)]);
    const status = await inTerminal("relayctl relayers status --brief", { env: broken.env });
    expect([status.exitCode, status.shown.includes(" r0  no room no room ")]).toEqual([0, true]);
  });
});

const texts: readonly (readonly [string, string, number])[] = [
  ["name", LONG, 10],
  ["name", "漢".repeat(MEGABYTE / 3), 10],
  ["id", LONG, MEGABYTE],
  ["address", LONG, MEGABYTE],
];

test.each(chosen(texts, 3))(
  "3,000 rows and one text of 1 MB do not pad other rows to its width: %s",
  async (field, text, least) => {
    const { env } = await serviceWith(fleet(3000, { [field]: text }));
    const { exitCode, stdout } = await relayctl(["relayers", "list", "-o", "table"], { env: { ...env, ...HEAP } });
    expect([exitCode, stdout.split("\n").length]).toEqual([0, 3002]);
    expect(stdout.length).toBeGreaterThan(least);
    expect(stdout.length).toBeLessThan(2 * MEGABYTE);
    if (field !== "name") expect(stdout).toContain(LONG);
  },
);

describe("one relayer with unusual data", () => {
  const entries = Array.from({ length: 150_000 }, (_, index) => `entry_${index}`);
  const few = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key_${index}`, 1]));

  const policies: readonly (readonly [string, object, string])[] = [
    ["a policy key of 1 MB", { gas_price_cap: 1, [LONG]: 2 }, `  ${"x".repeat(119)}…    2`],
    ["a policy key of 1 MB in CJK", { ["漢".repeat(MEGABYTE / 3)]: 2 }, `  ${"漢".repeat(59)}…    2`],
    ["a policy key of 1 MB and thousands of other keys", { ...few, [LONG]: 2 }, `  ${"x".repeat(119)}…    2`],
    ["a list of 150,000 entries", { whitelist_receivers: entries }, "entry_149999"],
    [
      "an amount with a million digits",
      { gas_price_cap: "9".repeat(MEGABYTE) },
      `gas_price_cap    ${"9".repeat(MEGABYTE)}`,
    ],
  ];

  test.each(chosen(policies, 2))("is printed: %s", async (_, held, line) => {
    const { env } = await serviceWith([relayer(0, { policies: held })]);
    const { exitCode, stdout, stderr } = await relayctl(["relayers", "get", "r0", "-o", "table"], { env });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout.includes(line)).toBe(true);
  });

  test("does not repeat a very long path for many members", async () => {
    const { env } = await serviceWith([relayer(0, { policies: { [LONG]: few } })]);
    const { exitCode, stdout } = await relayctl(["relayers", "get", "r0"], { env });
    expect([exitCode, stdout.length < 3 * MEGABYTE]).toEqual([0, true]);
    expect(stdout.includes(`policies.${LONG}\t{"key_0":1,"key_1":1,`)).toBe(true);
  });

  test("limits the indentation of deeply nested data", async () => {
    const deep = JSON.parse(`${"[".repeat(100)}${"1,".repeat(200_000)}1${"]".repeat(100)}`);
    const { env } = await serviceWith([relayer(0, { policies: { deep } })]);
    const { exitCode, stdout } = await relayctl(["relayers", "get", "r0", "-o", "json"], { env });
    expect([exitCode, stdout.length < MEGABYTE]).toEqual([0, true]);
    expect(JSON.parse(stdout).policies.deep).toEqual(deep);
  });
});

describe("the receipt of a write is printed before its result", () => {
  test("for several relayers with unusual names", async () => {
    const { env } = await serviceWith([relayer(0, { name: FAMILIES }), relayer(1, { name: LONG })]);
    const line = "relayctl relayers pause r0 r1 --yes -o table 2>&1";
    const { exitCode, stdout } = await bash(line, { env });
    const [first, header, ...rows] = stdout.split("\n");
    expect(exitCode).toBe(0);
    expect(first).toMatch(new RegExp(`^${appliedIn("\\S+")}2 relayers paused$`));
    expect(header).toMatch(/^ID {2}NAME /);
    expect(rows.map((row) => row.slice(0, 2))).toEqual(["r0", "r1", "lo", UNDO.slice(0, 2), ""]);
  });

  test("for one relayer, and its undo command last", async () => {
    const line = "relayctl --demo relayers resume eth-main-2 --diff -o name 2>&1";
    const { stdout } = await bash(line);
    const lines = stdout.trimEnd().split("\n").slice(-3);
    expect(lines.map((text) => text.split(" ", 1)[0])).toEqual([
      APPLIED.split(" ", 1)[0],
      "eth-main-2",
      UNDO.trimEnd(),
    ]);
  });
});
