import { intent, outcome } from "../commands/history/recorded.ts";
import { cli, ends, SERVER, TOKEN } from "../helpers/cli.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";

const CONTEXTS = { version: 1 as const, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN } } };

describe("a prompt that does not agree", () => {
  test("quotes a mistyped confirmation, and what was wanted", async () => {
    const line = "relayers freeze eth-main-1 base-hot";
    const ran = await cli(line, { terminal: true, answers: ["wrong"] });
    expect([ran.exitCode, ran.writes]).toEqual([3, []]);
    expect(ran.stderr.trimEnd().split("\n").slice(-2)).toEqual([
      '"wrong" does not match "2 relayers". Nothing was sent.',
      `  again    relayctl ${line}`,
    ]);
    const empty = await cli(line, { terminal: true, answers: [""] });
    expect(empty.stderr.trimEnd().split("\n").at(-1)).toBe("Canceled. Nothing was sent.");
  });

  test.each([
    ["label set a 0x8617E340B3D01FA5F11F306F4090FD50E238070D", { labels: { evm: { a: `0x${"1".repeat(40)}` } } }],
    ["context delete prod", {}],
  ])("on this machine says that nothing was changed: %s", async (line, more) => {
    const ran = await cli(line, { config: { ...CONTEXTS, ...more }, terminal: true, answers: [false] });
    expect([ran.exitCode, ran.stderr.trimEnd().split("\n").at(-1)]).toEqual([3, "Canceled. Nothing was changed."]);
  });
});

test("an undo of several payments of one relayer says that payments cannot be undone", async () => {
  const send = {
    run: "r",
    operation: "tx.send" as const,
    kind: "once" as const,
    method: "POST" as const,
    target: "/api/v1/relayers/base-hot/transactions",
    body: { to: `0x${"1".repeat(40)}`, value: "1" },
  };
  const entries = ["a", "b"].flatMap((id) => [intent(id, send), outcome(id, { run: "r" })]);
  const ran = await cli("undo r --yes", { env: {}, config: CONTEXTS, journal: memoryJournal({ entries }) });
  expect(ran.stderr).not.toContain("more than once");
  expect(ran.stderr).toContain("transactions can't be undone");
});

test("relayers resume of a disabled relayer says that it is disabled, in a pipe too", async () => {
  for (const flags of ["", " --diff"]) {
    const { stderr } = await cli(`--demo relayers resume eth-sepolia${flags}`, { env: {} });
    expect(stderr).toContain("eth-sepolia is disabled (nonce sync failed), not paused; resuming can't help");
  }
});

describe("--watch without a time", () => {
  test.each([
    "relayers list --watch",
    "relayers status --watch eth-main-1",
    "relayers list --watch --fields id",
    "tx list --watch eth-main-1",
  ])("watches every 2 seconds: %s", async (line) => {
    // The clash is validated after the time is read.
    const { exitCode, stderr } = await cli(`${line} -o csv`);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--watch: cannot be combined with -o csv")]);
    expect(stderr).not.toContain("problems");
  });

  test.each(["5", "5x", "100ms"])("refuses a time that is none: --watch %s", async (time) => {
    await ends({ exitCode: 2, stderr: expect.stringContaining(`--watch ${time}: `) }, `relayers list --watch ${time}`);
  });
});

test("doctor identifies the transaction of a finding in text, JSON, and JUnit", async () => {
  const subject = "nonce 7 (6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50) has max fee";
  const lineFiles = new Map<string, string[]>();
  for (const format of ["tsv", "json"]) {
    const ran = await cli(`--demo doctor eth-main-1 -o ${format} --junit ${format}.xml`, { env: {}, lineFiles });
    expect(ran.stdout, ran.stderr).toContain(subject);
  }
  expect([...lineFiles.values()].join("")).toContain(subject);
});
