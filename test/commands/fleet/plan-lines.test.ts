import { planLines } from "../../../src/commands/fleet/plan/lines.ts";
import { type Plan, planSameText } from "../../../src/fleet/plan.ts";
import { printWrappedLines } from "../../../src/terminal/render/wrapped-lines.ts";
import { memoryOutput } from "../../helpers/memory/output.ts";
import { changeOf, EMPTY_PLAN, FULL_PLAN, RELAYERS } from "./plans.ts";

const UNITS = { relayers: RELAYERS, symbols: new Map([["mainnet", "ETH"]]) };

/** What a terminal of this width shows of a plan; a pipe without a width. */
async function shown(plan: Plan, columns?: number, all = false): Promise<string> {
  const stdout = memoryOutput({
    terminal: columns !== undefined,
    columns: columns ?? 0,
    rows: 24,
    redact: (text) => text,
  });
  await printWrappedLines(planLines(plan, UNITS, all), { stdout, color: false, note: async () => {} });
  return stdout.text();
}

test.each([60, 80])("a plan with everything in it, at %s columns", async (columns) => {
  await expect(await shown(FULL_PLAN, columns)).toMatchFileSnapshot(`screens/full-${columns}.txt`);
});

test("lines fit the width, unless an ID, a hash, or an address is longer", async () => {
  const long = (await shown(FULL_PLAN, 40)).split("\n").filter((line) => line.length > 40);
  expect(
    long.filter((line) => line.trim().includes(" ") && !/^ *[-+~✗] \S+$/.test(line) && !/ {2}\S+$/.test(line)),
  ).toEqual([]);
  expect(await shown(FULL_PLAN, 40)).toContain("0x8617E340B3D01FA5F11F306F4090FD50E238070D\n");
});

test("an ID is never cut", async () => {
  const id = "relayer-".repeat(40);
  expect(await shown({ ...EMPTY_PLAN, changes: [changeOf({ id, action: "delete" })] }, 80)).toContain(`${id}\n`);
});

test("few values that were not compared are listed, and many are counted, unless all are wanted", async () => {
  const many = Array.from({ length: 1200 }, (_, at) => ({
    noun: "relayers" as const,
    id: `relayer-${at}`,
    path: "custom_rpc_urls",
    reason: "the service masks it",
  }));
  const plan = { ...EMPTY_PLAN, not_compared: many };
  expect(await shown(plan, 80)).toBe("");
  const changed = { ...plan, changes: [changeOf({ action: "delete" })] };
  expect(await shown(changed, 80)).toContain("not compared: 1,200 (-v lists them)\n");
  expect((await shown(plan, 80, true)).split("\n")).toHaveLength(1202);
  expect(await shown({ ...plan, not_compared: many.slice(0, 2) }, 80)).toBe(
    "not compared\n    relayer relayer-0 custom_rpc_urls: the service masks it\n    relayer relayer-1 custom_rpc_urls: the service masks it\n",
  );
});

test("text of a service or a file cannot begin a line, move the cursor, or hide", async () => {
  const hostile = "a\n+ relayer fake\u001b[2J\u202e\u200b\r";
  const plan: Plan = {
    ...EMPTY_PLAN,
    changes: [
      changeOf({
        id: hostile,
        members: [{ path: hostile, before: hostile, after: [hostile] }],
        effects: [hostile],
      }),
    ],
    cannot: [
      { noun: "signers", id: hostile, path: hostile, before: hostile, after: null, at: hostile, reason: hostile },
    ],
    not_compared: [{ noun: "signers", id: hostile, path: hostile, reason: hostile }],
    outside: [{ noun: "plugins", id: hostile, reason: hostile }],
    unmanaged: [{ noun: "signers", id: hostile }],
  };
  const text = await shown(plan, 200);
  expect(text).not.toMatch(/[\u001b\u202e\u200b\r]/u);
  expect(text).not.toMatch(/^\+ relayer/m);
});

test("numbers of any size are exact, with the coin of their network", async () => {
  const members = [{ path: "policies.min_balance", before: 1n, after: 2n ** 128n - 1n }];
  expect(await shown({ ...EMPTY_PLAN, changes: [changeOf({ members })] }, 200)).toContain(
    "min_balance  1 wei → 340282366920938463463.374607431768211455 ETH\n",
  );
});

test.each([
  [{ same: 1, files: ["a.json"] }, "a.json matches the service: 1 resource"],
  [{ same: 1200, files: ["-"] }, "stdin matches the service: 1,200 resources"],
  [{ same: 2, files: ["a", "b"] }, "2 files match the service: 2 resources"],
  [
    { same: 2, files: ["a"], not_compared: [{ noun: "relayers" as const, id: "x", path: "y", reason: "hidden" }] },
    "a matches the service: 2 resources (1 hidden value not compared; -v lists them)",
  ],
])("%j", (fields, text) => expect(planSameText({ ...EMPTY_PLAN, ...fields }, "-v")).toBe(text));

test("an RPC URL that the file leaves out is shown with its host", async () => {
  const change = {
    path: "custom_rpc_urls",
    before: [{ url: "https://other.example.org/***" }],
    after: [{ url: `\${hidden:https://rpc.example.org#1}`, weight: 80 }],
  };
  const impossible = { noun: "relayers" as const, id: "eth-main-1", ...change, reason: "the list is sent whole" };
  expect(await shown({ ...EMPTY_PLAN, cannot: [impossible] })).toContain("https://rpc.example.org/***");
});
