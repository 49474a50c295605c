import type { Intent } from "../../../src/journal/journal.ts";
import { cli, exits } from "../../helpers/cli.ts";
import { intent, outcome, recorded } from "./recorded.ts";

const RUN = "3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f";
const OTHER = "3f2a91c0-ffff-4b7a-9c46-0a1b2c3d4e5f";
const FIRST = "aaaaaaaa-0000-4000-8000-000000000001";
const SECOND = "bbbbbbbb-0000-4000-8000-000000000002";
const TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

const BEFORE = {
  id: "base-hot",
  name: "Base hot",
  network: "base",
  network_type: "evm",
  policies: { gas_price_cap: 80_000_000_000n },
};
const PATCH = intent(FIRST, {
  run: RUN,
  reason: "drill",
  ci: "https://ci.example.org/7",
  body: { name: "treasury", policies: { gas_price_cap: 120_000_000_000n } },
  before: BEFORE,
});
const ENTRIES = [
  PATCH,
  outcome(FIRST, { run: RUN, status: 200 }),
  intent(SECOND, { run: RUN, target: "/api/v1/relayers/eth-main-1", ids: { relayer_id: "eth-main-1" } }),
  outcome(SECOND, { run: RUN, applied: "unknown", failure: "unknown", message: "the response was lost" }),
];

async function show(id: string, entries = ENTRIES, terminal = false) {
  return await cli(`history show ${id}`, recorded(entries, { terminal, columns: 160 }));
}

test.each([
  ["-c demo", "https://relayer.example.org"],
  ["--demo", "http://demo.localhost"],
])("prints the next command for the context or the demo of the run: %s", async (flags, server) => {
  const entries = [{ ...PATCH, context: "demo", server }, outcome(FIRST, { run: RUN })];
  expect((await show(RUN, entries)).stdout).toContain(`relayctl ${flags} undo ${RUN}`);
});

test("shows a run with its writes, the values before and after, and the next command of each", async () => {
  const ran = await cli(`history show ${RUN} --color never`, recorded(ENTRIES, { terminal: true, columns: 160 }));
  expect(ran).toMatchObject({ exitCode: 0, requests: [] });
  expect(ran.stdout).toMatchInlineSnapshot(`
      "run                3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f
      when               2026-08-20 12:00:00Z, 92d ago
      who                ada@console
      ci job             https://ci.example.org/7
      context            prod
      server             http://127.0.0.1:8080
      command            relayctl relayers update base-hot --name treasury -c prod
      reason             drill
      relayers.update    base-hot
        write                     aaaaaaaa-0000-4000-8000-000000000001
        applied                   ✓ yes · status 200
        name                      Base hot → treasury
        policies.gas_price_cap    80 gwei → 120 gwei
        undo                      relayctl -c prod undo 3f2a91c0 --partly
      relayers.update    eth-main-1
        write                     bbbbbbbb-0000-4000-8000-000000000002
        applied                   ? unknown · the response was lost
        name                      treasury
        settle                    relayctl -c prod history settle
      "
    `);
});

test.each([RUN, "3f2a91c0", "3F2A", "aaaaaaaa", FIRST])("finds %s", async (id) => {
  expect(await show(id)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(RUN) });
});

test("shows one write alone", async () => {
  const ran = await cli(`history show ${SECOND} -o json`, recorded(ENTRIES));
  const { run, writes } = JSON.parse(ran.stdout);
  expect([run, writes]).toEqual([
    RUN,
    [expect.objectContaining({ id: SECOND, applied: "unknown", next: "relayctl -c prod history settle" })],
  ]);
});

test("lists the runs and writes that an ambiguous start may mean", async () => {
  const ran = await show("3f2a", [...ENTRIES, intent("cccccccc", { run: OTHER })]);
  expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
  expect(ran.stderr).toContain(`could be run ${RUN}`);
  expect(ran.stderr).toContain(`could be run ${OTHER}`);
});

test("ends with 5 for an unknown ID", async () =>
  expect(await show("ffffffff")).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('unknown run or write "ffffffff"'),
  }));

test("says why a run cannot be undone", async () => {
  const masked = { ...BEFORE, custom_rpc_urls: ["https://rpc.example.org/***"] };
  const body = { custom_rpc_urls: ["https://other.example.org"] };
  const cases: [Intent, string][] = [
    [{ ...PATCH, body, before: masked, masked: ["custom_rpc_urls"] }, "what may be a key or a password"],
    [{ ...PATCH, body, before: {} }, "the values before are not in the journal"],
    [{ ...PATCH, body: { name: BEFORE.name } }, "it changed nothing"],
  ];
  for (const [patch, reason] of cases) {
    const world = recorded([patch, outcome(FIRST, { run: RUN })]);
    const { stdout } = await cli(`history show ${RUN} -o json`, world);
    const because = expect.stringContaining(reason);
    expect(JSON.parse(stdout).writes).toEqual([expect.objectContaining({ next: null, cannot_undo: because })]);
    const drawn = await cli(`history show ${RUN} --color never`, { ...world, terminal: true, columns: 160 });
    expect(drawn.stdout).toMatch(new RegExp(`undo +cannot be undone: .*${reason}`));
  }
});

test("shows the undo of a bulk run once, after its last write", async () => {
  const second = intent(SECOND, { run: RUN, ids: { relayer_id: "xlm" }, before: { id: "xlm", name: "x" } });
  const entries = [
    PATCH,
    { ...second, target: "/api/v1/relayers/xlm" },
    outcome(FIRST, { run: RUN }),
    outcome(SECOND, { run: RUN }),
  ];
  const { stdout } = await show(`${RUN} --color never`, entries, true);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^ +undo +relayctl -c prod undo 3f2a91c0$/);
  expect(stdout.match(/ undo /g)).toHaveLength(2);
  const { writes } = JSON.parse((await show(`${FIRST} -o json`, entries)).stdout);
  expect(writes).toMatchObject([{ next: `relayctl -c prod undo ${RUN}`, cannot_undo: null }]);
});

test("shortens the run in its undo to the digits that no other run begins with", async () => {
  const patched = { body: { name: "warm" }, before: BEFORE };
  const entries = [
    ...[intent(FIRST, { run: RUN, ...patched }), outcome(FIRST, { run: RUN })],
    ...[intent(SECOND, { run: OTHER, ...patched }), outcome(SECOND, { run: OTHER })],
  ];
  const undoIn = async (terminal: boolean) => (await show(RUN, entries, terminal)).stdout.match(/undo ([\w-]+)/)?.[1];
  expect(await undoIn(true)).toBe("3f2a91c0-5");
  expect(await undoIn(false)).toBe(RUN);
});

test("shows which run undid a write, unless that was undone too", async () => {
  const [undo, redo] = ["undo-run", "redo-run"];
  const undone = [intent("undo", { run: undo, undoes: RUN, before: BEFORE }), outcome("undo", { run: undo })];
  const redone = [intent("redo", { run: redo, undoes: undo, before: BEFORE }), outcome("redo", { run: redo })];
  const entries = [PATCH, outcome(FIRST, { run: RUN })];
  const shown = async (more: typeof undone) => {
    const { stdout } = await show(`${RUN} -o json`, [...entries, ...more]);
    return JSON.parse(stdout).writes[0];
  };
  expect(await shown(undone)).toMatchObject({ next: null, cannot_undo: `already undone by run ${undo}` });
  expect((await show(`${RUN} --color never`, [...entries, ...undone], true)).stdout).toMatch(
    new RegExp(`^ +undone +by run ${undo}$`, "m"),
  );
  const again = `relayctl -c prod undo ${RUN}`;
  expect(await shown([...undone, ...redone])).toMatchObject({ next: again, cannot_undo: null });
  const failed = outcome("undo", { run: undo, applied: "no" });
  expect(await shown([...undone.slice(0, 1), failed])).toMatchObject({ next: again });
});

test("follows a transaction, and deletes what was created", async () => {
  const sent = intent(FIRST, { operation: "tx.send", kind: "once", body: { value: 1 } });
  const created = intent(SECOND, { operation: "notifications.create", kind: "create", ids: {}, body: { id: "ops" } });
  const entries = [sent, outcome(FIRST, { after: { id: TX } }), created, outcome(SECOND, { after: { id: "ops" } })];
  const world = recorded(entries);
  expect((await cli(`history show ${FIRST}`, world)).stdout).toContain(`relayctl -c prod tx get base-hot ${TX}`);
  expect((await cli(`history show ${SECOND}`, world)).stdout).toContain("relayctl -c prod notifications delete ops");
});

describe("history verify", () => {
  test("counts files and lines", async () => {
    const ran = await exits(0, "history verify -o json", recorded(ENTRIES));
    expect(JSON.parse(ran.stdout)).toEqual({ journal: "journal", files: 1, lines: 4, complete: true, fault: null });
  });

  test("ends with 13, and specifies file and line", async () => {
    const world = recorded(ENTRIES);
    const fault = { file: "journal/2026-11.ndjson", line: 7, what: "changed" as const, words: "line 7 was changed" };
    const journal = { ...world.journal, verify: async () => ({ files: 2, lines: 9, fault }) };
    const ran = await cli("history verify", { ...world, journal, terminal: true });
    expect(ran).toMatchObject({ exitCode: 13, stdout: expect.stringContaining("9") });
    expect(ran.stderr).toContain("the journal is not as it was written: journal/2026-11.ndjson: line 7 was changed");
  });
});
