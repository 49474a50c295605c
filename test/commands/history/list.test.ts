import type { Intent, WriteOutcome } from "../../../src/journal/journal.ts";
import { cli, ends, SERVER, TOKEN } from "../../helpers/cli.ts";
import { DEEP } from "../../helpers/deep.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { intent, NOON, outcome, recorded } from "./recorded.ts";

const at = (hours: number) => new Date(NOON + hours * 3_600_000).toISOString();
const TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

const ENTRIES = [
  intent("a", { run: "aaaaaaaa-1", time: at(-30) }),
  outcome("a", { run: "aaaaaaaa-1", time: at(-30) }),
  intent("b", {
    run: "bbbbbbbb-2",
    operation: "tx.send",
    kind: "once",
    method: "POST",
    ids: { relayer_id: "eth-main-1" },
  }),
  outcome("b", { run: "bbbbbbbb-2", after: { id: TX, hash: `0x${"1".repeat(64)}`, status: "pending" } }),
  intent("c", { run: "cccccccc-3", reason: "drill", time: at(1) }),
  outcome("c", { run: "cccccccc-3", applied: "no", failure: "rejected", message: "no", status: 400 }),
  intent("d", { run: "dddddddd-4", server: "https://staging.example.org", context: "staging", time: at(2) }),
];

async function idsOf(line: string) {
  const ran = await ends({ exitCode: 0, requests: [] }, `${line} -o json`, recorded(ENTRIES));
  return (JSON.parse(ran.stdout) as { id: string }[]).map(({ id }) => id);
}

test("shows the writes of the selected context's service, newest first, and sends nothing", async () => {
  expect(await idsOf("history")).toEqual(["c", "b", "a"]);
  expect(await idsOf("history list")).toEqual(["c", "b", "a"]);
  expect(await idsOf("-c staging history")).toEqual(["d"]);
  expect(await idsOf("history -c staging")).toEqual(["d"]);
});

test("shows the writes of every context with --all-contexts", async () => {
  expect(await idsOf("history --all-contexts")).toEqual(["d", "c", "b", "a"]);
  const ran = await cli("history --all-contexts -c prod", recorded(ENTRIES));
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--all-contexts") });
});

test.each([
  ["--relayer base-hot", ["c", "a"]],
  ["--relayer eth-main-1", ["b"]],
  [`--tx ${TX}`, ["b"]],
  [`--tx 0x${"1".repeat(64)}`, ["b"]],
  ["--tx unknown", []],
  ["--operation relayers.update", ["c", "a"]],
  ["--operation tx", ["b"]],
  ["--applied no", ["c"]],
  ["--applied yes --relayer base-hot", ["a"]],
  ["--since 2026-08-20", ["c", "b"]],
  ["--since 2026-08-20T12:30Z", ["c"]],
  ["--limit 2", ["c", "b"]],
])("%s chooses writes", async (flags, ids) => expect(await idsOf(`history ${flags}`)).toEqual(ids));

test("with an age shows the writes since then", async () => {
  const world = recorded(ENTRIES);
  const now = NOON + 2 * 3_600_000;
  const clock = { now: () => now, elapsed: () => 0, sleep: async () => {} };
  await ends({ stdout: "d\nc\nb\n" }, "history --since 24h --all-contexts -o name", { ...world, clock });
});

test.each([
  ["--since yesterday", "--since yesterday"],
  ["--since 2026-02-30", "--since 2026-02-30"],
  ["--since 3x", "--since 3x"],
  ["--operation relayers.updat", "did you mean relayers.update"],
  ["--applied maybe", "--applied maybe"],
  ["--limit 0", "--limit 0"],
  ["--relayer ''", "--relayer: is empty"],
  ["--dry-run", "--dry-run"],
])("%s is exit 2", async (flags, words) => {
  const ran = await cli(`history ${flags}`, recorded(ENTRIES));
  expect(ran).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(words) });
});

test("reads the intent and the last outcome as one object", async () => {
  const ran = await cli("history --applied no -o json", recorded(ENTRIES));
  expect(JSON.parse(ran.stdout)).toEqual([
    {
      id: "c",
      run: "cccccccc-3",
      time: at(1),
      user: "ada",
      host: "console",
      ci: null,
      context: "prod",
      server: SERVER,
      command: "relayctl relayers update base-hot --name treasury -c prod",
      operation: "relayers.update",
      kind: "patch",
      method: "PATCH",
      target: "/api/v1/relayers/base-hot",
      relayer_id: "base-hot",
      transaction_id: null,
      ids: { relayer_id: "base-hot" },
      body: { name: "treasury" },
      before: null,
      reason: "drill",
      once: null,
      applied: "no",
      failure: "rejected",
      message: "no",
      status: 400,
      after: null,
      restored: null,
      settled_later: false,
      ended: new Date(NOON + 40).toISOString(),
      ms: null,
    },
  ]);
});

test("shows a write without an outcome as unknown", () =>
  ends({ stdout: "a\tunknown\n" }, "history -o tsv --fields id,applied", recorded([intent("a")])));

test("draws ages and short runs on a terminal, and exact ones in a pipe", async () => {
  const now = NOON + 3 * 3_600_000;
  const clock = { now: () => now, elapsed: () => 0, sleep: async () => {} };
  const world = { ...recorded(ENTRIES), clock };
  const drawn = await cli("history", { ...world, terminal: true, columns: 160 });
  expect(drawn.stdout).toMatchInlineSnapshot(`
      "[2mWHEN[22m    [2mRUN[22m       [2mWHO[22m  [2mCOMMAND          TARGET      WHAT[22m             [2mAPPLIED[22m
      2h ago  cccccccc  ada  relayers update  base-hot    name → treasury  [31m✗ no[39m
      3h ago  bbbbbbbb  ada  relayers update  eth-main-1  send             [32m✓ yes[39m
      1d ago  aaaaaaaa  ada  relayers update  base-hot    name → treasury  [32m✓ yes[39m
      "
    `);
  expect(drawn.stderr).toContain("3 runs · prod");
  const ascii = await cli("history --applied yes", { ...world, terminal: true, env: { LANG: "C" } });
  expect(ascii.stdout).toContain("+ yes");
  const piped = await cli("history -o table --applied no", world);
  expect(piped.stdout).toContain("2026-08-20 13:00:00Z  cccccccc-3");
});

test("shortens runs only as far as they differ", async () => {
  const entries = [intent("a", { run: "12345678-90ab-1" }), intent("b", { run: "12345678-90ac-2" })];
  const { stdout } = await cli("history", recorded(entries, { terminal: true, columns: 160 }));
  expect(stdout).toContain("12345678-90ac");
  expect(stdout).not.toContain("12345678-90ac-");
});

test("shows 50 runs in a table, and says so", async () => {
  const entries = Array.from({ length: 60 }, (_, index) => intent(`w${index}`));
  const world = recorded(entries, { terminal: true });
  const table = await cli("history", world);
  expect(table.stdout.trimEnd().split("\n")).toHaveLength(51);
  expect(table.stderr).toContain("only the newest 50 runs are shown");
  const more = await cli("history --limit 55", world);
  expect(more.stdout.trimEnd().split("\n")).toHaveLength(56);
  expect(more.stderr).not.toContain("only the newest");
  expect((await cli("history -o ndjson", world)).stdout.trimEnd().split("\n")).toHaveLength(60);
});

test("without a write says so, and prints nothing", async () => {
  expect(await cli("history", recorded([]))).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: "no writes in the journal of prod\n",
  });
  expect((await cli("history --applied no", recorded([]))).stderr).toContain("no writes match");
});

describe("the line of a run", () => {
  const GWEI = 1_000_000_000n;
  const relayer = (id: string) => ({ ids: { relayer_id: id }, target: `/api/v1/relayers/${id}` });
  const wrote = (id: string, more: Partial<Intent>, ended: Partial<WriteOutcome> = {}) => {
    const run = more.run ?? `run-${id}`;
    return [intent(id, { run, ...more }), outcome(id, { run, ...ended })];
  };
  const caps = (id: string, run: string, ended: Partial<WriteOutcome> = {}) =>
    wrote(
      id,
      {
        ...relayer(id),
        run,
        command: "relayctl -c prod apply -f fleet.yaml",
        body: { policies: { gas_price_cap: 120n * GWEI } },
        before: { id, network: "mainnet", network_type: "evm", policies: { gas_price_cap: 80n * GWEI } },
      },
      ended,
    );
  const pause = (id: string, run: string, command: string, more: Partial<Intent> = {}) =>
    wrote(id, { ...relayer(id), run, command, body: { paused: true }, before: { id, paused: false }, ...more });
  const begun = intent("p", {
    run: "11111111-p",
    operation: "tx.send",
    payments: { file: "pay.csv", sha256: "x", rows: 2, total: "3", coin: "ETH" },
  });
  const paid = (id: string) =>
    wrote(id, {
      ...relayer("eth-main-1"),
      run: "11111111-p",
      command: "relayctl tx send-many eth-main-1 -f pay.csv --yes",
      operation: "tx.send",
      kind: "once",
      body: { value: 10_500_000_000_000_000n },
      payment: { row: 1 },
    });
  const fees = (max: bigint) => ({ id: TX, nonce: 7, max_fee_per_gas: String(max), max_priority_fee_per_gas: "1" });
  const ENTRIES = [
    ...caps("a", "77ab01c9-a"),
    ...caps("b", "77ab01c9-a", { applied: "no", failure: "rejected", status: 400 }),
    ...pause("c", "77ab01c9-a", "relayctl -c prod apply -f fleet.yaml"),
    ...wrote(
      "d",
      {
        run: "ec95f071-d",
        ids: { relayer_id: "eth-main-1", transaction_id: TX },
        command: "relayctl --yes -c tx tx bump eth-main-1 --yes",
        operation: "tx.replace",
        kind: "once",
        before: fees(12_500_000_000n),
      },
      { after: fees(32_700_000_000n) },
    ),
    ...pause("e", "acfc62e3-e", "relayctl relayers pause e"),
    ...pause("e", "fe163d90-f", "relayctl undo acfc62e3", {
      id: "f",
      undoes: "acfc62e3-e",
      body: { paused: false },
      before: { id: "e", paused: true },
    }).map((entry) => ({ ...entry, id: "f" })),
    begun,
    ...paid("g"),
    ...paid("h"),
  ];
  const shownAt = async (columns: number) =>
    (await cli("history --color never", recorded(ENTRIES, { terminal: true, columns }))).stdout;

  test.each([60, 140])("says what it changed, and what undid it, in %d columns", async (columns) => {
    await expect(await shownAt(columns)).toMatchFileSnapshot(`lines-${columns}.txt`);
  });

  test("has no fewer words in a wider terminal, and breaks none", async () => {
    const words = (text: string) => text.split(/\s+/).sort();
    const whole = words(await shownAt(200));
    let shown: string[] = [];
    for (let columns = 40; columns <= 200; columns += DEEP ? 1 : 10) {
      const now = words(await shownAt(columns));
      expect(now.filter((word) => !whole.includes(word))).toEqual([]);
      expect(shown.filter((word) => !now.includes(word))).toEqual([]);
      expect(now.length).toBeGreaterThanOrEqual(shown.length);
      shown = now;
    }
  });

  test.each([
    [
      "tx send polygon-bulk --to 0x8617E340B3D01FA5F11F306F4090FD50E238070D --value 3gwei --speed fast",
      "0.000000003 POL",
    ],
    [
      "tx send base-hot --to 0x8617E340B3D01FA5F11F306F4090FD50E238070D --value 1 --speed fast",
      "0.000000000000000001 ETH",
    ],
  ])("shows the value of %s in the coin, which no flag of it has", async (line, value) => {
    const world = { journal: memoryJournal() };
    expect(await cli(`${line} --yes --demo`, world)).toMatchObject({ exitCode: 0 });
    const [run = ""] = world.journal.entries.map((entry) => entry.run);
    for (const words of ["history list", `history show ${run}`]) {
      const { stdout } = await cli(`${words} --demo`, { ...world, terminal: true, columns: 140 });
      expect(stdout).toContain(value);
      expect(stdout).not.toMatch(/\d wei\b/);
    }
  });

  test("in a pipe and with -o is one of a write, as ever", async () => {
    for (const terminal of [true, false]) {
      const { stdout } = await cli("history -o tsv", recorded(ENTRIES, { terminal }));
      expect(stdout.trimEnd().split("\n")).toHaveLength(8);
      const table = await cli("history -o table --color never", recorded(ENTRIES, { terminal, columns: 160 }));
      expect(table.stdout).toMatch(/^WHEN +RUN +USER +OPERATION +TARGET +APPLIED +REASON +TRANSACTION\n/);
      expect(table.stdout.trimEnd().split("\n")).toHaveLength(9);
    }
  });

  test("counts all writes of a run, also those before the first of another that --limit leaves out", async () => {
    const [first = [], second = []] = [caps("a", "77ab01c9-a"), caps("b", "77ab01c9-a")];
    const between = pause("e", "acfc62e3-e", "relayctl pause e");
    const world = recorded([...first, ...between, ...second], { terminal: true, columns: 140 });
    const { stdout, stderr } = await cli("history --limit 1", world);
    expect(stdout).toContain("2 relayers  gas_price_cap 80 → 120 gwei");
    expect(stdout).not.toContain("acfc62e3");
    expect(stderr).toContain("1 run");
  });
});

describe("a run without a journal", () => {
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };

  test.each(["history", "history show aaaaaaaa", "history verify"])(
    "makes %s exit 2, and says how to keep one",
    async (line) => {
      const ran = await ends({ exitCode: 2, stdout: "", requests: [] }, line, recorded(ENTRIES, { env }));
      expect(ran.stderr).toContain("RELAYCTL_JOURNAL: is not set, and server and token come from variables");
      expect(ran.stderr).toContain("set it to a folder");
    },
  );

  test("with RELAYCTL_JOURNAL=off says so", async () => {
    const ran = await cli("history", recorded(ENTRIES, { env: { RELAYCTL_JOURNAL: "off" } }));
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("RELAYCTL_JOURNAL: is off") });
  });

  test.each(["on", "true", "0", "OFF", "False"])(
    "does not take the switch RELAYCTL_JOURNAL=%s for a folder",
    async (given) => {
      for (const line of ["history", "relayers pause evm-1 --yes"]) {
        const ran = await cli(line, recorded(ENTRIES, { env: { ...env, RELAYCTL_JOURNAL: given } }));
        expect(ran).toMatchObject({
          exitCode: 2,
          writes: [],
          stderr: expect.stringContaining("needs a folder, or off"),
        });
      }
    },
  );

  test("reads the folder that RELAYCTL_JOURNAL specifies", async () => {
    const folder = { ...env, RELAYCTL_JOURNAL: "/journal" };
    expect((await cli("history -o name", recorded(ENTRIES, { env: folder }))).stdout).toBe("c\nb\na\n");
    const alone = recorded(ENTRIES, {
      env: { RELAYCTL_JOURNAL: "/journal" },
      config: { version: 1, contexts: {} },
    });
    expect((await cli("history --all-contexts -o name", alone)).stdout).toBe("d\nc\nb\na\n");
    expect(await cli("history verify -o json", alone)).toMatchObject({ exitCode: 0 });
  });

  test("does not concern --demo, which has its own", async () => {
    const world = recorded([intent("x", { server: "http://demo.localhost", context: "demo" })], { env });
    expect((await cli("history --demo -o name", world)).stdout).toBe("x\n");
  });
});

test("text of an edited line never reaches a terminal raw", async () => {
  const evil = "\u001b]0;owned\u0007\u202e";
  const entries = [
    intent("a", { run: `${evil}r`, reason: evil, user: evil, command: `relayctl ${evil}`, ids: { relayer_id: evil } }),
    outcome("a", { run: `${evil}r`, applied: "no", message: evil, after: { hash: evil } }),
    intent("b", { reason: { deep: [evil] } as unknown as string, user: 7 as unknown as string, time: evil, ids: {} }),
  ];
  for (const terminal of [true, false])
    for (const line of [
      "history",
      "history -o table",
      "history -o yaml",
      "history -o csv",
      "history show a",
      "history show b",
    ]) {
      const { stdout, stderr } = await cli(`${line} --color never`, recorded(entries, { terminal }));
      expect(`${line}: ${stdout}${stderr}`).not.toMatch(/[\u001b\u0007\u202e]/);
    }
});
