import { createReadStream } from "node:fs";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { RelayctlError } from "../../../src/errors.ts";
import type { Entry } from "../../../src/journal/journal.ts";
import { createInput } from "../../../src/terminal/streams/input.ts";
import {
  cli,
  ends,
  exits,
  inProd,
  printedError,
  runHere,
  SERVER,
  says,
  TOKEN,
  testApp,
  type World,
} from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { APPLIED, appliedIn, CANNOT_UNDO, UNDO, undoIn, WHILE_PAUSED } from "../../helpers/receipts.ts";
import { demoStore, seedState } from "../../helpers/seed-state.ts";
import { refusal, success } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";

const sent = ({ writes }: Awaited<ReturnType<typeof cli>>) =>
  writes.map(({ target, body }) => `${target.split("/").at(-1)} ${body}`);

describe("several relayers", () => {
  test("by typed IDs are each sent one request, and read once before, for the undo", async () => {
    const ran = await exits(0, "relayers pause eth-main-1 base-hot sol-pay --yes");
    expect(sent(ran).sort()).toEqual(["base-hot", "eth-main-1", "sol-pay"].map((id) => `${id} {"paused":true}`));
    expect(ran.requests.map(({ method }) => method).join(" ")).toBe("GET GET GET PATCH PATCH PATCH");
    expect(ran.stdout.split("\n").map((line) => line.split("\t")[0])).toEqual([
      "eth-main-1",
      "base-hot",
      "sol-pay",
      "",
    ]);
    expect(ran.stderr).toContain(APPLIED);
    expect(ran.stderr).toContain("3 relayers");
  });

  test("by IDs on stdin, one per line", async () => {
    const ran = await cli("relayers resume - --yes -o name", { stdin: "eth-main-2\n\nbase-hot\r\n" });
    expect(ran).toMatchObject({ exitCode: 0, stdout: "eth-main-2\nbase-hot\n" });
  });

  test("by --where are selected by their earlier values, and only necessary requests are sent", async () => {
    const ran = await exits(0, "relayers resume --where network_type=evm --yes -o json");
    expect(sent(ran)).toEqual(['eth-main-2 {"paused":false}']);
    expect(JSON.parse(ran.stdout).map(({ id, paused }: { id: string; paused: boolean }) => [id, paused])).toEqual([
      ["base-hot", false],
      ["eth-main-1", false],
      ["eth-main-2", false],
      ["eth-sepolia", false],
      ["polygon-bulk", false],
    ]);
    expect(ran.stderr).toContain("1 of 5 relayers resumed, 4 not paused");
  });

  test("that are disabled by the service are named once they are resumed", async () => {
    const ran = await cli("relayers resume eth-sepolia xlm-pay base-hot --yes");
    expect(ran.stderr).toContain(
      "warning: 2 of 3 relayers are disabled, not paused; resuming can't help: eth-sepolia, xlm-pay\n",
    );
  });

  test("are all shown, even if they no longer match --where after the change", async () => {
    const ran = await cli("relayers pause --where !paused --yes -o name");
    expect(ran.stdout.trim().split("\n")).toHaveLength(7);
  });

  test("are not sent anything if one of them would break a rule", async () => {
    await says(
      { exitCode: 2, writes: [] },
      ["relayers", "update", "eth-main-1", "xlm-treasury", "--reset-policies", "--yes", "--confirm", "2 relayers"],
      "--reset-policies of xlm-treasury: Stellar policy is required.",
    );
    const gap = await cli("relayers update sol-pay xlm-treasury --policy swap_config.cron_schedule=@daily --yes");
    expect(gap).toMatchObject({ exitCode: 2, writes: [] });
    expect(gap.stderr).toMatch(/swap_config\S* of xlm-treasury: Swap config /);
    const evm = [
      "relayers",
      "update",
      "eth-main-1",
      "base-hot",
      "--reset-policies",
      "--yes",
      "--confirm",
      "2 relayers",
    ];
    expect(await cli(evm)).toMatchObject({ exitCode: 0 });
  });

  test("by --all are all relayers", async () => {
    const store = memoryStore(seedState("fleet:1200"));
    const ran = await exits(0, "relayers pause --all --yes --concurrency 64 -o name", { store });
    expect(new Set(ran.stdout.trim().split("\n")).size).toBe(1200);
    expect((await cli("relayers list --where !paused -o name", { store })).stdout).toBe("");
  });

  test.each([
    ["policies.min_balance>5eth", "the coin of this network is POL: 5pol"],
    ["policies.min_balance!=5eth", "the coin of this network is POL: 5pol"],
  ])("by --where %s are refused if one has another coin", async (where, rule) => {
    const ran = await ends({ exitCode: 2, writes: [] }, ["relayers", "pause", "--where", where, "--yes"]);
    expect(ran.stderr).toContain("--where of polygon-bulk");
    expect(ran.stderr).toContain(rule);
  });

  test("by --where with the coin of all matches are changed", async () => {
    const ran = await cli(["relayers", "pause", "--where", "policies.min_balance>5pol", "--yes", "-o", "name"]);
    expect(ran).toMatchObject({ exitCode: 0, stdout: "polygon-bulk\n" });
  });

  test("by --where without a match print an empty list without a question", async () => {
    const ran = await cli("relayers pause --where network=nowhere", { terminal: true });
    expect(ran).toMatchObject({ exitCode: 0, stdout: "", questions: [], writes: [] });
    expect(ran.stderr).toMatch(/no relayers match network=nowhere in \S+$/m);
  });

  test("have their policies validated by network type, after one read of the list", async () => {
    const ran = await exits(0, "relayers update eth-main-1 sol-pay --policy min_balance=5 --yes");
    expect(ran.requests.filter(({ target }) => target.startsWith("/api/v1/relayers?"))).toHaveLength(1);
    expect(sent(ran)).toHaveLength(2);
    const wrong = await cli("relayers update eth-main-1 sol-pay --policy gas_price_cap=80gwei --yes");
    expect(wrong).toMatchObject({ exitCode: 2, writes: [] });
    expect(wrong.stderr).toContain("gas_price_cap");
  });

  test("are sent nothing if an ID is missing from the list", async () => {
    const ran = await cli("relayers update eth-main-1 nothing --policy min_balance=5 --yes");
    expect(ran).toMatchObject({ exitCode: 5, writes: [] });
    expect(ran.stderr).toContain("relayer not found: nothing");
  });
});

describe("one question for all relayers", () => {
  test.each([
    ["pause --where network=mainnet", "pausing"],
    ["resume eth-main-1 eth-main-2", "resuming"],
    ["update eth-main-1 eth-main-2 --paused", "pausing"],
    ["update eth-main-1 eth-main-2 --policy gas_price_cap=90gwei", "changing"],
  ])("is named by the command's verb without a terminal: %s", async (line, verb) => {
    const { stderr } = await exits(3, `relayers ${line}`);
    expect(stderr).toContain(`error: ${verb} several relayers requires confirmation`);
  });

  test("shows the change, the count, the context, and the consequences", () =>
    says(
      { exitCode: 3, questions: [expect.stringMatching(/^(?:Pause|Update) \d+ relayers in .+\?$/)], writes: [] },
      "relayers pause eth-main-1 base-hot",
      ["pause 2 relayers in", "eth-main-1, base-hot", "paused", WHILE_PAUSED],
      { terminal: true, answers: ["n"] },
    ));

  test("shows old and new values for each with --diff", async () => {
    const ran = await cli("relayers update --where network_type=evm --policy gas_price_cap=9gwei --diff", {
      terminal: true,
      answers: ["n"],
    });
    expect(ran.stderr).toContain("80 gwei → 9 gwei");
    expect(ran.stderr).toContain("5 gwei → 9 gwei");
  });

  const capped = "relayers update eth-main-1 base-hot --policy gas_price_cap=55gwei";

  test("is replaced by the changes with --diff --yes, and the receipt is short", async () => {
    const ran = await exits(0, `--demo ${capped} --diff --yes`);
    expect(ran.stderr).toBe(
      [
        "update 2 relayers in demo",
        "  eth-main-1",
        "    gas_price_cap  80 gwei → 55 gwei",
        "  base-hot",
        "    gas_price_cap  5 gwei → 55 gwei",
        `${appliedIn("demo")}gas_price_cap → 55 gwei on 2 relayers`,
        `${UNDO}relayctl --demo relayers update eth-main-1 --policy gas_price_cap=80gwei`,
        `${UNDO}relayctl --demo relayers update base-hot --policy gas_price_cap=5gwei`,
        "",
      ].join("\n"),
    );
  });

  test("is replaced by the changes with --diff --dry-run, along with values already set", async () => {
    const ran = await ends({ exitCode: 0, writes: [] }, "relayers pause eth-main-1 eth-main-2 --diff --dry-run");
    expect(ran.stderr).toContain("  eth-main-1\n    paused  no → yes\n  eth-main-2\n    already paused\n");
    expect(ran.stderr).toContain("dry run: the current state was read, nothing was changed");
  });

  test("is followed by a receipt that counts several changes", async () => {
    const ran = await cli(`${capped} --paused --name A --notification-id ops-hook --yes`);
    expect(ran.stderr).toContain(": 4 changes on 2 relayers\n");
  });

  test("is replaced by --yes without a terminal, and nothing is read before", () =>
    says({ exitCode: 3, requests: [] }, "relayers pause --all", "relayctl relayers pause --all --yes"));

  const unlimited = "relayers update eth-main-1 eth-main-2 --unset-policy whitelist_receivers --network-type evm";

  test.each([unlimited, "relayers update eth-main-1 eth-main-2 --reset-policies"])(
    "requires the number of relayers if one relayer would require its ID: %s",
    async (line) => {
      for (const typed of [line, `${line} --yes`])
        await says({ exitCode: 3, writes: [] }, typed, /hint: .*--confirm '2 relayers'\n/);
      expect(await cli([...line.split(" "), "--confirm", "2 relayers"])).toMatchObject({ exitCode: 0 });
    },
  );

  test.each([
    "relayers pause eth-main-1 base-hot",
    "relayers update eth-main-1 base-hot --name x",
    "relayers pause --where network_type=evm",
    "relayers freeze eth-main-1",
    "tx cancel-pending eth-main-1",
  ])("suggests a command that suffices in a protected context: %s", async (line) => {
    const world = inProd({ protected: true });
    for (const typed of [line, `${line} --yes`])
      await says({ exitCode: 3, writes: [] }, typed, `hint: relayctl ${typed} --confirm prod\n`, world);
    await exits(0, `${line} --confirm prod`, world);
  });
});

describe("the undo command of the receipt", () => {
  const undoArgsIn = (stderr: string) => undoIn(stderr)[0]?.replace(/^relayctl /, "") ?? "";

  test("has the IDs of all changed relayers, and restores their state", async () => {
    const store = demoStore();
    const before = (await cli("relayers list -o json", { store })).stdout;
    const ran = await cli("relayers pause --where network_type=evm --yes", { store });
    expect(undoArgsIn(ran.stderr)).toBe("relayers resume base-hot eth-main-1 eth-sepolia polygon-bulk");
    expect((await cli("relayers list -o json", { store })).stdout).not.toBe(before);
    await cli(`${undoArgsIn(ran.stderr)} --yes`, { store });
    expect((await cli("relayers list -o json", { store })).stdout).toBe(before);
  });

  test("includes the service", async () => {
    const { stderr } = await cli("--demo relayers pause eth-main-1 base-hot --diff --yes");
    expect(undoArgsIn(stderr)).toBe("--demo relayers resume eth-main-1 base-hot");
  });

  test("is replaced by the reason if there is none", async () => {
    const { stderr } = await cli("relayers update eth-main-1 base-hot --no-rpc-urls --diff --yes");
    expect(stderr).toContain(`${CANNOT_UNDO}: the service masks the previous custom_rpc_urls\n`);
  });

  test("is one command for relayers with the same earlier values", async () => {
    const store = demoStore();
    await cli("relayers update base-hot eth-sepolia --policy gas_price_cap=7gwei --yes", { store });
    const before = (await cli("relayers list -o json", { store })).stdout;
    const capped = "relayers update base-hot eth-main-1 eth-sepolia --policy gas_price_cap=55gwei --diff --yes";
    const { stderr } = await cli(capped, { store });
    const lines = undoIn(stderr).map((line) => line.replace(/^relayctl /, ""));
    expect(lines).toEqual([
      "relayers update base-hot eth-sepolia --policy gas_price_cap=7gwei",
      "relayers update eth-main-1 --policy gas_price_cap=80gwei",
    ]);
    for (const line of lines) await cli(`${line} --yes`, { store });
    expect((await cli("relayers list -o json", { store })).stdout).toBe(before);
  });

  test("is missing for some relayers, which are reported", async () => {
    const store = demoStore();
    await cli("relayers update base-hot --rpc-url https://rpc.example.org/", { store });
    const { stderr } = await cli("relayers update eth-main-1 base-hot --no-rpc-urls --diff --yes", { store });
    expect(stderr).toContain(`\neth-main-1: ${CANNOT_UNDO}: the service masks the previous custom_rpc_urls\n`);
    expect(undoIn(stderr)[0]).toMatch(/^relayctl relayers update base-hot --rpc-url https:\/\/rpc\.example\.org\//);
  });

  test("is not printed if it takes too many commands to paste", async () => {
    const store = memoryStore(seedState("fleet:30"));
    const ids = Array.from({ length: 11 }, (_, index) => index);
    const listed = JSON.parse((await cli("relayers list -o json --limit 11", { store })).stdout);
    for (const at of ids) await cli(`relayers update ${listed[at].id} --name before-${at}`, { store });
    const named = `relayers update ${ids.map((at) => listed[at].id).join(" ")} --name after --diff --yes`;
    const { stderr } = await cli(named, { store });
    expect(stderr).toContain(`${CANNOT_UNDO} by a few commands: the relayers had different values before\n`);
    expect(stderr).not.toContain(`${UNDO}`);
  });

  test("resumes no relayer that was paused before, although a script pauses it again", async () => {
    const ran = await cli("relayers pause eth-main-1 eth-main-2 --yes");
    expect(ran.stderr).toMatch(
      new RegExp(`^${appliedIn(".*")}2 relayers paused\n${UNDO}relayctl relayers resume eth-main-1\n$`),
    );
    expect(ran.writes).toHaveLength(2);
  });

  test("is not printed if the previous state of a relayer cannot be read, and each is paused", async () => {
    const service: World["service"] = async ({ method, target }) => {
      const id = target.split("/").at(-1) ?? "";
      const isUnread = method === "GET" && id === "base-hot";
      return isUnread ? refusal(503, "Unavailable") : success({ id, paused: method === "PATCH" });
    };
    const ran = await exits(0, "relayers pause eth-main-1 base-hot --yes", { service });
    expect(ran.requests).toHaveLength(4);
    expect(ran.stderr).toMatch(new RegExp(`^${appliedIn(".*")}2 relayers paused\n$`));
  });

  test.each([
    "relayers pause eth-main-1 base-hot",
    "relayers resume eth-main-2 polygon-bulk",
    "relayers update eth-main-1 base-hot --policy min_balance=5",
    "relayers pause --all",
  ])("is printed in a pipe, as the undo of its run prints one: %s", async (line) => {
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/journal" };
    const world = { store: demoStore(), journal: memoryJournal(), env };
    const state = async () => (await cli("relayers list -o json", world)).stdout;
    const before = await state();
    const changed = await cli(`${line} --yes`, world);
    const after = await state();
    expect(changed.stderr).toContain(UNDO);
    const undone = await exits(0, "undo --yes", world);
    expect(undone.stderr).toContain(UNDO);
    expect(await state()).toBe(before);
    for (const undo of undoIn(undone.stderr)) await cli(`${undo.replace("relayctl ", "")} --yes`, world);
    expect(await state()).toBe(after);
  });

  test("is not printed if it is too long to paste, but the reason is", async () => {
    const store = memoryStore(seedState("fleet:200"));
    const { stderr } = await cli("relayers pause --all --yes", { store });
    expect(stderr).toMatch(
      new RegExp(`^${appliedIn(".*")}.*\ncannot be undone by one command: .*more than 100.*--undo-file.*\n$`),
    );
  });

  test.each([
    ["nothing", () => false, 0],
    ["an outcome", (entry: Entry) => entry.type === "outcome" && entry.id.endsWith("7"), 11],
  ])("of more than 100 is that of the run, which undoes it unless the journal lacks %s", async (_, isLost, code) => {
    const fault = (entry: Entry) => (isLost(entry) ? new RelayctlError("io", "the disk is full") : undefined);
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/journal" };
    const world = { store: memoryStore(seedState("fleet:200")), journal: memoryJournal({ fault }), env };
    const { stderr } = await exits(0, "relayers pause --all --yes", world);
    expect(undoIn(stderr)).toHaveLength(code === 0 ? 1 : 0);
    await exits(code, "undo --yes", world);
  });
});

describe("on a terminal", () => {
  test("relayers that need no change are read, counted before the question, and skipped", async () => {
    const ran = await exits(0, "relayers pause eth-main-1 eth-main-2", { terminal: true, answers: [true] });
    expect(ran.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/relayers/eth-main-1",
      "GET /api/v1/relayers/eth-main-2",
      "PATCH /api/v1/relayers/eth-main-1",
    ]);
    expect(ran.stderr).toContain("\nskipped: 1 of 2 relayers is already paused\n");
    expect(ran.questions).toEqual([expect.stringMatching(/^Pause 1 relayer in /)]);
    expect(undoIn(ran.stderr)).toEqual([expect.stringMatching(/ relayers resume eth-main-1$/)]);
  });

  test("nothing is asked if no relayer needs a change", async () => {
    const ran = await cli("relayers resume eth-main-1 base-hot", { terminal: true });
    expect(ran).toMatchObject({ exitCode: 0, writes: [], questions: [] });
    expect(ran.stderr).toContain("note: skipped: 2 of 2 relayers are not paused\n");
  });

  test("an unknown relayer ends the command before the question", () =>
    ends({ exitCode: 5, writes: [], questions: [] }, "relayers pause eth-main-1 missing", { terminal: true }));
});

describe("if some relayers fail", () => {
  test("the undo of the others is the last line", async () => {
    const seen: World = {
      service: async ({ method, target }) => {
        const id = target.split("/").at(-1) ?? "";
        if (method === "PATCH" && id === "b") return refusal(400, "Relayer is disabled");
        return success({ id, paused: method === "PATCH" });
      },
    };
    const ran = await exits(12, "relayers pause a b c", { ...seen, terminal: true, answers: [true] });
    expect(ran.stderr.trimEnd().split("\n").at(-1)).toMatch(/^ {2}undo {5}.* relayers resume a c$/);
  });

  const service = (answers: Record<string, () => ReturnType<typeof success>>): World => ({
    service: async ({ target }) => {
      const id = target.split("/").at(-1) ?? "";
      return answers[id]?.() ?? success({ id, paused: true });
    },
  });
  const paused = "relayers pause a b c --yes -o json --retries 0";

  test("exits with 12, prints the others, and reports each failure", async () => {
    const ran = await exits(12, paused, service({ b: () => refusal(400, "Relayer is disabled") }));
    expect(JSON.parse(ran.stdout).map(({ id }: { id: string }) => id)).toEqual(["a", "c"]);
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({
      code: "partial",
      applied: "yes",
      details: [{ where: "b", given: "conflict", rule: "Relayer is disabled" }],
    });
    expect(ran.stderr).toContain("2 of 3 relayers");
  });

  test("sends nothing further after a 401", async () => {
    const ran = await cli(`${paused} --concurrency 1`, service({ a: () => refusal(401, "Unauthorized") }));
    expect(ran).toMatchObject({ exitCode: 4, stdout: "" });
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain("2 not started");
  });

  test.each(["json", "ndjson", "yaml", "csv", "tsv", "name", "table"])(
    "prints no result with -o %s if all failed",
    async (format) => {
      const disabled = () => refusal(400, "Relayer is disabled");
      const line = `relayers pause a b --yes --retries 0 -o ${format}`;
      const ran = await ends({ exitCode: 6, stdout: "" }, line, service({ a: disabled, b: disabled }));
      expect(ran.stderr).toContain("2 of 2 relayers failed");
      expect(ran.stderr).not.toContain(APPLIED);
    },
  );

  test("prints relayers with values already set, but does not count them as applied", async () => {
    const server = testServer();
    const failing: World["service"] = async (request) =>
      request.method === "PATCH" ? refusal(400, "no") : await server(request);
    const ran = await cli("relayers pause --all --yes -o json", { service: failing });
    expect(JSON.parse(ran.stdout).map(({ id }: { id: string }) => id)).toEqual(["eth-main-2"]);
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({ code: "rejected", exit_code: 7, applied: "no" });
    expect(ran.stderr).toMatch(/^in .*: 1 of 8 relayers already paused$/m);
    expect(ran.stderr).not.toContain(APPLIED);
  });

  test("lists each failure in the error, in the order of the targets", async () => {
    const disabled = () => refusal(400, "Relayer is disabled");
    const ran = await cli(paused, service({ a: disabled, b: () => refusal(401, "Unauthorized"), c: disabled }));
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({
      code: "auth",
      applied: "no",
      details: [
        { where: "a", given: "conflict" },
        { where: "b", given: "auth" },
        { where: "c", given: "conflict" },
      ],
    });
  });

  test("retries all relayers refused by a rate limit", async () => {
    const clock = manualClock();
    const server = testServer({ seed: "fleet:500", clock, rateLimit: { perSecond: 50, burst: 20 } });
    const ran = await exits(0, "relayers pause --all --yes --retries 0 -o name", { clock, service: server });
    expect(ran.stdout.trim().split("\n")).toHaveLength(500);
    // Every 20th of them is already paused.
    const refused = ran.writes.length - 475;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(25);
  });
});

describe("a dry run", () => {
  test("shows all requests in order", async () => {
    const ran = await ends({ exitCode: 0, requests: [] }, "relayers pause eth-main-1 base-hot --dry-run");
    expect(ran.stdout.match(/^PATCH .*$/gm)).toEqual([
      "PATCH /api/v1/relayers/eth-main-1",
      "PATCH /api/v1/relayers/base-hot",
    ]);
  });

  test("reads the selected relayers, and changes nothing", async () => {
    const ran = await ends({ exitCode: 0, writes: [] }, "relayers pause --where network=base --curl");
    expect(ran.stdout).toContain("/api/v1/relayers/base-hot'");
    expect(ran.stdout.match(/^curl /gm)).toHaveLength(1);
  });
});

test.each([
  ["relayers pause eth-main-1 base-hot eth-main-1 --yes", {}, "<id> 3 eth-main-1: specified twice, first as <id> 1"],
  ["relayers pause - --yes", { stdin: "a\nb\na\n" }, "stdin line 3 a: specified twice, first as stdin line 1"],
  ["relayers pause - --yes", { stdin: "a\nb/c\n" }, "stdin line 2 b/c: contains a slash"],
  ["relayers pause - --yes", { stdin: "\n" }, "-: stdin is closed or contains no IDs (one per line)"],
  ["relayers pause a b --concurrency 0 --yes", {}, "--concurrency 0: a whole number from 1 to 100"],
  ["relayers pause a b --rate 5 --yes", {}, "--rate 5: needs a unit"],
  ["relayers pause a b --rate 0/s --yes", {}, "--rate 0/s: must be from 1/s to 999999/s"],
  ["relayers pause a b --rate 1000000/s --yes", {}, "--rate 1000000/s: must be from 1/s to 999999/s"],
  ["relayers pause a b --rate 50/m --yes", {}, "--rate 50/m: needs a unit, e.g. 50/s (requests per second)"],
  ["relayers pause a --all --yes", {}, "--all: cannot be combined with ids"],
  ["relayers pause a --where paused --yes", {}, "--where: cannot be combined with ids"],
  ["relayers pause --all --where paused --yes", {}, "--all: cannot be combined with --where"],
  ["relayers pause --where bar=1 --yes", {}, "bar"],
  ["relayers pause a b -o raw --yes", {}, "raw is the response to one request"],
  ["relayers update a b --yes", {}, "nothing to change"],
])("an invalid command is rejected before any request: %s", (line, world: World, words) =>
  says({ exitCode: 2, requests: [], stdout: "" }, line, words, world),
);

describe.each([
  ["stdin: is not UTF-8", async () => Uint8Array.of(0xff, 0x0a)],
  ["stdin: could not be read: EISDIR", unreadable],
])("%s", (words, read) => {
  test.each(["relayers pause - --yes", "relayers balance -"])("is the only error of %s", async (line) => {
    const made = testApp();
    const ran = await runHere({ ...made, app: { ...made.app, stdin: { isTerminal: false, read } } }, line.split(" "));
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain(`error: ${words}\n`);
    expect(ran.stderr).not.toContain("holds no id");
  });
});

async function unreadable(most: number): Promise<Uint8Array> {
  return await createInput(createReadStream(import.meta.dirname)).read(most);
}

test("Ctrl-C says what was done, of how many, and the command that continues", async () => {
  const interrupt = new AbortController();
  const service: World["service"] = async ({ method, target }) => {
    if (method === "PATCH") interrupt.abort("interrupted");
    return success({ id: target.split("/").at(-1) ?? "", paused: true });
  };
  const world = { service, interrupt: interrupt.signal };
  const ran = await exits(130, "relayers pause a b c --yes --concurrency 1", world);
  expect(ran.stderr).toContain("Interrupted. 1 of 3 relayers paused, 2 not started.\n");
  expect(ran.stderr).toMatch(/\ncontinue: relayctl relayers pause a b c --concurrency 1\n$/);
});

describe("a service whose Retry-After exceeds the remaining time", () => {
  const asking = async (refuses: readonly string[]) => {
    const clock = manualClock();
    const service: World["service"] = async ({ target }) => {
      const id = target.split("/").at(-1) ?? "";
      return refuses.includes(id)
        ? { ...refusal(429, "Too Many Requests"), headers: WAIT }
        : success({ id, paused: true });
    };
    const line = "relayers pause a b c d --yes --concurrency 1 --deadline 4s -o json";
    const ran = await cli(line, { clock, service });
    const error = printedError(ran.stderr);
    return { ran, error, waited: clock.elapsed() };
  };
  const WAIT = { "retry-after": "3600" };

  test("ends the command at once: keeps applied changes, and reports the rest as not sent", async () => {
    const { ran, error, waited } = await asking(["b"]);
    expect([ran.exitCode, ran.writes.length, waited]).toEqual([12, 2, 0]);
    expect(error).toMatchObject({
      code: "partial",
      applied: "yes",
      message: "1 of 4 relayers failed, 2 not started",
      details: [
        { where: "b", given: "rate_limited" },
        { where: "c", rule: "nothing was sent" },
        { where: "d", rule: "nothing was sent" },
      ],
    });
    expect(ran.stderr).toContain("the service asks to wait until 2026-11-21T04:12:07Z");
  });

  test("exits as rate_limited if nothing was applied", async () => {
    const { ran, error, waited } = await asking(["a"]);
    expect([ran.exitCode, ran.writes.length, waited]).toEqual([8, 1, 0]);
    expect(error).toMatchObject({ code: "rate_limited", applied: "no", retryable: true });
  });
});

test("--rate also limits retries", async () => {
  const clock = manualClock();
  const left: number[] = [];
  const seen = new Set<string>();
  const service: World["service"] = async ({ method, target }) => {
    if (method === "PATCH") left.push(clock.elapsed());
    const id = target.split("/").at(-1) ?? "";
    if (method === "GET" || seen.has(id)) return success({ id, paused: true });
    seen.add(id);
    return refusal(429, "Too Many Requests");
  };
  await exits(0, "relayers pause a b c --yes --rate 4/s --concurrency 1", { clock, service });
  const gaps = left.slice(1).map((moment, index) => moment - (left[index] ?? 0));
  expect(gaps).toHaveLength(5);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
});

describe.each([
  ["without a limit", "", " before attempt 2 of 101\n"],
  ["with a deadline", "--deadline 5m", " before attempt 2 of 101, and gives up at 2026-11-21T03:17:07Z\n"],
])("a service that refuses every write by rate, %s", (_, flag, words) => {
  const refusing = (headers: Record<string, string>) => {
    const interrupt = new AbortController().signal;
    const service: World["service"] = async () => ({ ...refusal(429, "Too Many Requests"), headers });
    return { clock: manualClock(undefined, interrupt), interrupt, service };
  };

  test("is waited for, and stderr says why and until when, once a minute", async () => {
    const world = refusing({ "retry-after": "40" });
    const ran = await exits(8, `relayers pause a b c --yes ${flag}`, world);
    const notes = ran.stderr.split("note: ").slice(1);
    const minutes = world.clock.elapsed() / 60_000;
    expect(notes.length).toBeGreaterThan(2);
    expect(notes.length).toBeLessThanOrEqual(minutes + 1);
    const first = "the service responded with 429: Too Many Requests; relayctl waits until 2026-11-21T03:12:47Z";
    expect(notes[0]).toBe(`${first}${words}`);
  });

  test("is reported although it asks for no time", async () => {
    const ran = await exits(8, `relayers pause a b c --yes ${flag}`, refusing({}));
    expect(ran.stderr).toContain("note: the service responded with 429: Too Many Requests; relayctl waits until");
  });

  test("is not reported with --quiet, or if it accepts others in between", async () => {
    const quiet = await cli(`relayers pause a b c --yes --quiet ${flag}`, refusing({ "retry-after": "1" }));
    expect(quiet.stderr).not.toContain("note:");
    const world = refusing({ "retry-after": "1" });
    let requests = 0;
    const often: World["service"] = async (request, limits) => {
      const id = request.target.split("/").at(-1) ?? "";
      return ++requests % 3 === 0
        ? success({ id, paused: request.method === "PATCH" })
        : await world.service(request, limits);
    };
    const ran = await exits(0, `relayers pause a b c d e f --yes --concurrency 1 ${flag}`, {
      ...world,
      service: often,
    });
    expect(ran.stderr).not.toContain("note:");
  });
});

test("--rate spreads requests over time", async () => {
  const clock = manualClock();
  await exits(0, "relayers pause eth-main-1 base-hot sol-pay --yes --rate 10/s", { clock });
  expect(clock.elapsed()).toBe(200);
});

describe("a list that changes while it is read", () => {
  /** Shows these relayers and counts one more, at every reading; changes what it is asked to change. */
  function moving(...relayers: readonly object[]): Transport {
    return async ({ method, target, body }) => {
      const id = target.split("/").at(-1);
      if (method === "PATCH") return success({ id, ...JSON.parse(body ?? "{}") });
      if (target.includes("/transactions")) return success([], { current_page: 1, per_page: 1000, total_items: 0 });
      return success(relayers, { current_page: 1, per_page: 1000, total_items: relayers.length + 1 });
    };
  }
  const two = () => moving({ id: "r1", paused: false, network: "base" }, { id: "r2", paused: true, network: "base" });

  test.each([
    "relayers pause --all --yes",
    "relayers pause --where network=base --yes",
    "relayers update --all --paused --yes",
    "relayers freeze --all --confirm '2 relayers'",
  ])("%s pauses the relayers read, and reports that there may be more", async (line) => {
    const ran = await exits(12, line, { service: two() });
    expect(sent(ran)).toEqual(['r1 {"paused":true}']);
    expect(ran.stderr).toContain("2 relayers are paused, and there may be more: the list changed while it was read");
    expect(ran.stderr).toContain("run the command again until it exits with 0");
    expect(ran.stderr).toContain(`hint: relayctl ${line}`);
    const error = printedError((await cli(`${line} -o json`, { service: two() })).stderr);
    expect(error).toMatchObject({ code: "partial", applied: "yes", retryable: true });
  });

  test("is reported before the question", async () => {
    const ran = await cli("relayers pause --all", { service: two(), terminal: true, answers: ["n"] });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain("note: the list changed while it was read: some relayers may be missing");
  });

  test.each([
    "relayers resume --all --yes",
    "relayers update --all --name x --yes",
    "relayers update --all --paused --name x --yes",
    "relayers pause --where network=nowhere --yes",
  ])("%s changes nothing and exits with 9", async (line) => {
    const ran = await ends({ exitCode: 9, writes: [] }, line, { service: two() });
    expect(ran.stderr).toContain("the list is changing or incomplete: 2 of 3 were read");
  });

  test("does not matter for typed IDs, which are all paused", async () => {
    const ran = await exits(0, "relayers pause r1 r3 --diff --yes", { service: two() });
    expect(sent(ran).sort()).toEqual(['r1 {"paused":true}', 'r3 {"paused":true}']);
  });
});
