import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createClient } from "../../../src/client/client.ts";
import { planLines } from "../../../src/commands/fleet/plan/lines.ts";
import { markdownHtmlCode, markdownText, planMarkdown, tableCode } from "../../../src/commands/fleet/plan/markdown.ts";
import { type Plan, planSameText } from "../../../src/fleet/plan.ts";
import { type PlanFleetOptions, planFiles } from "../../../src/library-calls/plan-files.ts";
import { printWrappedLines } from "../../../src/terminal/render/wrapped-lines.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryOutput } from "../../helpers/memory/output.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { testClientContext } from "../../helpers/test-link.ts";
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

test("a plan is a table for each resource", () =>
  expect(planMarkdown(FULL_PLAN, UNITS)).toMatchFileSnapshot("screens/full-markdown.txt"));

test("without differences it says so", () =>
  expect(planMarkdown(EMPTY_PLAN, UNITS)).toBe(
    "### No changes\n\nCompared `config.json` with `https://relayer.example.org`. 12 unchanged.\n\n",
  ));

describe("text of a service or a file", () => {
  const HOSTILE = [
    "`` `a` ``",
    "a | b",
    "\\|",
    "a\\",
    "</code></summary></details><script>alert(1)</script>",
    "@everyone",
    "#1 GH-1 www.example.com https://example.com :tada:",
    "line\n\n# heading\n::error::x",
    "<!-- -->",
    "![x](https://example.com/x.png)",
    "***bold*** _x_ ~~y~~",
    "\u202e\u001b[31m",
  ];

  test.each(HOSTILE)("is code: %j", (text) => {
    const plan = planWith(text);
    expectHarmless(planMarkdown(plan, UNITS));
  });

  test("is code, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
        expectHarmless(planMarkdown(planWith(text), UNITS));
        expect(markdownHtmlCode(text)).toMatch(/^<code>(?:[A-Za-z0-9 ,-]|&#\d+;)*<\/code>$/);
      }),
    );
  });

  test("is prose only if nothing in it has a meaning", () => {
    expect(markdownText("gas_price_cap falls to a thousandth: 80 gwei → 1 gwei")).not.toContain("`");
    for (const text of [...HOSTILE, "_a_", "GH-12", "see WWW.example", ":tada:"])
      expect(markdownText(text)).toBe(tableCode(text));
  });
});

test("a long plan stays within the limit of a comment, and says how much is missing", () => {
  const changes = Array.from({ length: 2000 }, (_, at) =>
    changeOf({ id: `relayer-${at}`, members: [{ path: "name", before: "a".repeat(50), after: "b".repeat(50) }] }),
  );
  const text = planMarkdown({ ...EMPTY_PLAN, changes }, UNITS);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text.length).toBeGreaterThan(60_000);
  const shown = text.match(/<details>/g)?.length ?? 0;
  expect(text).toContain(`**${(2000 - shown).toLocaleString("en")} of 2,000 parts were left out,`);
  expect(text.match(/<\/details>/g)).toHaveLength(shown);
});

test("one huge member is shortened", () => {
  const addresses = Array.from({ length: 5000 }, (_, at) => `0x${String(at).padStart(40, "0")}`);
  const members = [
    { path: "policies.whitelist_receivers", before: null, after: addresses },
    { path: "name", before: "x".repeat(1_000_000), after: null },
  ];
  const text = planMarkdown({ ...EMPTY_PLAN, changes: [changeOf({ members })] }, UNITS);
  expect(text.length).toBeLessThan(10_000);
  expect(text).toContain("… 4,950 more");
});

function planWith(text: string): Plan {
  return {
    ...EMPTY_PLAN,
    server: text,
    files: [text],
    changes: [changeOf({ id: text, members: [{ path: text, before: text, after: [text] }], effects: [text] })],
    cannot: [{ noun: "signers", id: text, path: text, before: text, after: text, at: text, reason: text }],
    not_compared: [{ noun: "signers", id: text, path: text, reason: text }],
    outside: [{ noun: "plugins", id: text, reason: text }],
    unmanaged: [{ noun: "signers", id: text }],
  };
}

/** Removes what is code, as GitHub reads it; the rest has to be ours. */
function expectHarmless(markdown: string): void {
  for (const line of markdown.split("\n")) {
    const rest = line
      .replaceAll(/<code>(?:[A-Za-z0-9 ,-]|&#\d+;)*<\/code>/g, "X")
      .replaceAll(/`[^`|\\]+`/g, "X")
      .replaceAll(/<\/?(?:details(?: open)?|summary|b|br)>/g, "");
    expect(rest).toMatch(/^[A-Za-z0-9 ,.;:()'%→✗–…#*|+~_-]*$/);
    if (rest.includes("|")) expect(rest).toMatch(/^\|(?: [^|]* \|)+$/);
  }
}

describe("the library", () => {
  const KEY = "a signing key that is long enough, and a canary";

  /** Plans files as the library does, against the demo's fleet. */
  async function planned(files: Readonly<Record<string, string>>, options?: PlanFleetOptions) {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const clock = manualClock();
    const server = testServer({ token: "t", clock });
    const client = {
      ...createClient(testClientContext(server, { token: "t" })),
      origin: "https://relayer.example.org",
    };
    const interrupt = new AbortController().signal;
    const world = { clock, env: { HOOK_KEY: KEY }, interrupt, openWaiting: () => undefined };
    return await planFiles(
      Object.keys(files).map((name) => (name === "-" ? name : join(folder, name))),
      client,
      options,
      world,
    );
  }

  const HOOKS = `notifications:
  - { id: new-hook, type: webhook, url: https://hooks.example.org/new, signing_key: "\${env:HOOK_KEY}" }
`;

  test("compares files with a service, with references in place of secrets", async () => {
    const plan = await planned({ "hooks.yaml": HOOKS });
    expect(plan).toMatchObject({
      server: "https://relayer.example.org",
      files: [expect.stringMatching(/hooks\.yaml$/)],
      changes: [{ action: "create", id: "new-hook", body: { signing_key: "${" + "env:HOOK_KEY}" } }],
    });
    expect(plan.unmanaged.length).toBeGreaterThan(1);
    expect(JSON.stringify(plan)).not.toContain("canary");
  });

  test("reads several files, with other variables, and reports what is left out", async () => {
    const warnings: string[] = [];
    const relayer = {
      id: "eth-main-1",
      name: "Mainnet 1",
      network: "mainnet",
      network_type: "evm",
      paused: true,
      signer_id: "signer-1",
      nam: "x",
    };
    const files = { "hooks.yaml": HOOKS, "config.json": JSON.stringify({ relayers: [relayer] }) };
    await expect(planned(files)).rejects.toThrow("unknown member (did you mean name?)");
    const plan = await planned(files, {
      env: { HOOK_KEY: "other".repeat(8) },
      allowUnknown: true,
      onWarning: (text) => warnings.push(text),
    });
    expect(plan.changes.map(({ noun, id }) => `${noun}/${id}`)).toEqual([
      "notifications/new-hook",
      "relayers/eth-main-1",
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/config\.json:1:\d+: not compared: relayers\.0\.nam is unknown to relayctl/),
    ]);
  });

  test("deletes what the files do not describe, if that is wanted", async () => {
    const plan = await planned({ "hooks.yaml": HOOKS }, { prune: true });
    expect(plan.changes.filter(({ action }) => action === "delete").map(({ noun }) => noun)).toContain("notifications");
  });

  test("rejects files that are wrong, with their places, and stdin", async () => {
    await expect(planned({ "hooks.yaml": "a: *b" })).rejects.toMatchObject({ failure: "usage" });
    await expect(planned({ "-": "" })).rejects.toMatchObject({
      failure: "usage",
      message: expect.stringContaining("does not read stdin"),
    });
  });

  test("needs a variable only for what has to be created with it", async () => {
    const { cannot, changes } = await planned({ "hooks.yaml": HOOKS }, { env: {} });
    expect(cannot).toMatchObject([{ id: "new-hook", reason: "cannot create notification new-hook: set HOOK_KEY" }]);
    expect(changes).toEqual([]);
  });

  test("refuses a label, which the library does not know", async () => {
    const relayer = {
      id: "r",
      name: "r",
      network: "mainnet",
      network_type: "evm",
      paused: true,
      signer_id: "signer-1",
    };
    const policies = { whitelist_receivers: ["@treasury"] };
    await expect(planned({ "f.json": JSON.stringify({ relayers: [{ ...relayer, policies }] }) })).rejects.toMatchObject(
      {
        failure: "usage",
        message: expect.stringContaining("is a label, and the library knows none; use its address"),
      },
    );
  });
});
