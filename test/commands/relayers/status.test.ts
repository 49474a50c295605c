import { ClosedPipe } from "../../../src/terminal/streams/output.ts";
import { cli, ends, exits, inProd, SERVER, says, type World } from "../../helpers/cli.ts";
import { success } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";

/** A service whose list holds these, and that is asked for nothing else. */
function listing(...relayers: readonly object[]): World {
  return { service: scriptedService({ reply: success(relayers) }).transport };
}

const disabledBy = (type: unknown, details?: unknown) => ({
  id: "r1",
  address: "0xabc",
  system_disabled: true,
  disabled_reason: { type, details },
});

/** Returns the lines below the table, which explain the relayers' states. */
function belowTable(stdout: string): string {
  return stdout.split("\n\n")[1] ?? "";
}

const uncolored = (text: string) => text.replaceAll(/\u001b\[\d+m/g, "");

describe("relayers status on one screen", () => {
  test("is a table sorted worst first, jammed before healthy, then the reasons with what helps, then the counts", async () => {
    const ran = await cli("relayers status", { terminal: true, columns: 100 });
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: "8 relayers · http://127.0.0.1:8080 · 2 disabled, 1 paused, 5 active\n",
    });
    const [table = "", reasons = ""] = uncolored(ran.stdout).split("\n\n");
    expect(table.split("\n").map((row) => row.slice(0, 13))).toEqual([
      "  RELAYER    ",
      "✗ eth-sepolia",
      "✗ xlm-pay    ",
      "‖ eth-main-2 ",
      "! eth-main-1 ",
      "● base-hot   ",
      "● polygon-bul",
      "● sol-pay    ",
      "● xlm-treasur",
    ]);
    expect(reasons).toMatch(/^✗ eth-sepolia +nonce sync failed: /);
  });

  test("shows a reason of many relayers once, with their number and the first of them", async () => {
    const fleet = Array.from({ length: 40 }, (_, at) => ({ ...disabledBy("NonceSyncFailed"), id: `r${at + 10}` }));
    const { stdout } = await cli("relayers status --brief", { terminal: true, columns: 100, ...listing(...fleet) });
    expect(uncolored(stdout)).toBe(
      "✗ 40 relayers  nonce sync failed: the service tries again by itself, about once a minute\n" +
        "               r10, r11, r12, and 37 more\n",
    );
  });

  test("has a row for each of up to 20 relayers, and counts active ones beyond, unless all are wanted", async () => {
    const fleet = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `r${at + 10}`, paused: at === 7 }));
    const rows = async (line: string, count: number, terminal = true) => {
      const { stdout } = await cli(`relayers status --brief ${line}`, { terminal, ...listing(...fleet(count)) });
      return uncolored(stdout).match(/^.*\br\d\d +(?:active|paused)\b/gm)?.length;
    };
    expect(await rows("", 20)).toBe(20);
    expect(await rows("", 21)).toBe(1);
    expect(await rows("--all", 21)).toBe(21);
    expect(await rows("-o table", 21)).toBe(21);
    expect(await rows("-o table", 21, false)).toBe(21);
    expect(await rows("", 21, false)).toBeUndefined();
  });

  test("draws no bar for a screen reader, and no sign", async () => {
    const { stdout } = await cli("relayers status --demo", { terminal: true, env: { ACCESSIBLE: "1" } });
    expect(uncolored(stdout)).not.toMatch(/[█░✗‖●]/);
    expect(uncolored(stdout)).toMatch(/^disabled +xlm-pay /m);
  });

  test.each([40, 80, 140])("fits into %d columns", async (columns) => {
    const ran = await cli("relayers status", { terminal: true, columns });
    await expect(uncolored(ran.stdout)).toMatchFileSnapshot(`status/screen-${columns}.txt`);
  });

  test("includes the context in the command that resumes a relayer", async () => {
    const ran = await cli("relayers status --brief -o table", {
      ...inProd(),
      ...listing({ id: "r1", paused: true }),
    });
    expect(belowTable(ran.stdout)).toBe("paused  r1  by an operator: relayctl -c prod relayers resume r1\n");
  });

  test("shows only the state with --brief", async () => {
    const ran = await cli("relayers status --brief", { terminal: true, columns: 200 });
    expect(uncolored(ran.stdout)).toMatch(/^ {2}RELAYER +STATE\n✗ eth-sepolia +disabled\n/);
  });

  test("shows of a large healthy fleet only the count", async () => {
    const fleet = Array.from({ length: 400 }, (_, index) => ({ id: `relayer-${index}` }));
    const ran = await cli("relayers status --brief", { terminal: true, columns: 60, ...listing(...fleet) });
    expect([ran.stdout, ran.stderr]).toEqual([
      "",
      expect.stringContaining(`\n400 relayers · ${SERVER} · 400 active\n`),
    ]);
  });

  test("reports an empty list", async () =>
    expect(await cli("relayers status", listing())).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: `no relayers in ${SERVER}\n`,
    }));
});

describe("a disabled relayer", () => {
  const again = "the service tries again by itself, about once a minute";

  test.each([
    ["NonceSyncFailed", "nonce sync failed", again],
    ["SequenceSyncFailed", "sequence sync failed", again],
    ["RpcValidationFailed", "RPC validation failed", again],
    ["BalanceCheckFailed", "balance below the minimum", `${again}; fund 0xabc`],
  ])("by %s shows the reason and the outlook", async (type, reason, outlook) => {
    const ran = await cli("relayers status --brief -o table", listing(disabledBy(type, "some words")));
    expect(belowTable(ran.stdout)).toBe(`disabled  r1  ${reason}: ${outlook}\n`);
  });

  test.each([
    ["a list of reasons", [{ type: "RpcValidationFailed", details: "x" }, { type: "NonceSyncFailed" }]],
    ["a list of strings", ["RpcValidationFailed", "NonceSyncFailed"]],
    ["a list in a list", [{ type: "Multiple", details: ["RpcValidationFailed"] }, "NonceSyncFailed"]],
  ])("by Multiple with %s shows each reason", async (_, details) => {
    const world = () => listing(disabledBy("Multiple", details));
    expect(belowTable((await cli("relayers status --brief -o table", world())).stdout)).toBe(
      `disabled  r1  RPC validation failed; nonce sync failed: ${again}\n`,
    );
    const { stdout } = await cli("relayers status --brief -o json", world());
    expect(JSON.parse(stdout)[0].health).toEqual({
      state: "disabled",
      reasons: ["RpcValidationFailed", "NonceSyncFailed"],
    });
  });

  const node = "RPC validation failed; balance could not be read";

  test.each([
    [
      "objects",
      [{ type: "RpcValidationFailed" }, { type: "BalanceCheckFailed", details: "Insufficient balance" }],
      node,
    ],
    ["types", ["BalanceCheckFailed", "RpcValidationFailed"], "balance could not be read; RPC validation failed"],
    ["sentences", ["RPC endpoint validation failed", "Insufficient balance"], node],
    ["lists", [{ type: "Multiple", details: ["RpcValidationFailed"] }, "BalanceCheckFailed"], node],
  ])("by its node, with reasons as %s, has an unread balance, and no hint to fund it", async (_, details, words) => {
    const world = () => listing(disabledBy("Multiple", details));
    expect(belowTable((await cli("relayers status --brief -o table", world())).stdout)).toBe(
      `disabled  r1  ${words}: ${again}\n`,
    );
  });

  test.each(["constructor", "KeyRotated", "e\u001b[31m"])(
    "by the unknown reason %j shows the reason without an outlook",
    async (type) => {
      const ran = await cli("relayers status --brief -o table", listing(disabledBy(type)));
      expect(belowTable(ran.stdout)).toBe(`disabled  r1  ${type.replace("\u001b", "\\u{1b}")}\n`);
    },
  );

  test("by an older service shows no reason", async () => {
    const ran = await cli("relayers status --brief -o table", listing({ id: "r1", system_disabled: true }));
    expect(belowTable(ran.stdout)).toBe(`disabled  r1  no reason given: ${again}\n`);
  });

  test("that is also paused stays paused", async () => {
    const relayer = { ...disabledBy("NonceSyncFailed"), paused: true };
    const ran = await cli("relayers status --brief -o table", listing(relayer));
    expect(belowTable(ran.stdout)).toBe(
      `disabled  r1  nonce sync failed: ${again}; also paused by an operator, and stays paused\n`,
    );
  });

  test("that is enabled again is active, even with an old reason", async () => {
    const ran = await cli(
      "relayers status --brief -o table",
      listing({ ...disabledBy("NonceSyncFailed"), system_disabled: false }),
    );
    expect(ran.stdout).toBe("RELAYER  STATE\nr1       active\n");
  });
});

describe("relayers status with IDs", () => {
  test("shows only those relayers, worst first and once each", async () => {
    const ran = await cli("relayers status base-hot eth-main-2 xlm-pay base-hot -o name");
    expect(ran).toMatchObject({ exitCode: 0, stdout: "xlm-pay\neth-main-2\nbase-hot\n" });
  });

  test("reads the IDs from stdin", async () => {
    const ran = await cli("relayers status - -o name", { stdin: "base-hot\r\n\neth-main-2\n" });
    expect(ran.stdout).toBe("eth-main-2\nbase-hot\n");
    expect(await cli("relayers status - -o json", { stdin: "" })).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  });

  test.each([
    ["relayers status nope", "error: relayer not found: nope\n"],
    ["relayers status nope base-hot gone", "error: 2 relayers not found: nope, gone\n"],
    ["tx stuck nope gone", "error: 2 relayers not found: nope, gone\n"],
    ["audit nope", "error: relayer not found: nope\n"],
    ["relayers freeze nope --yes", "error: relayer not found: nope\n  nothing was sent\n"],
    [
      "relayers update sol-pay nope --policy min_balance=5 --yes",
      "error: relayer not found: nope\n  nothing was sent\n",
    ],
  ])("%s: reports every missing ID, and prints nothing", async (line, words) => {
    const ran = await ends({ exitCode: 5, stdout: "" }, line);
    expect(ran.stderr).toBe(`${words}  hint: relayctl relayers list\n`);
  });

  test("rejects an invalid ID before any request", async () =>
    expect(await cli("relayers status a/b ..")).toMatchObject({ exitCode: 2, requests: [] }));
});

describe("relayers status in a script", () => {
  test("has the form {relayer, status, health}, worst first, with the service's data and masked URLs", async () => {
    const { stdout } = await cli("relayers status -o json");
    const all = JSON.parse(stdout);
    expect(all.map(({ health }: { health: { state: string } }) => health.state)).toEqual(
      [..."ddpaaaaa"].map((letter) => ({ d: "disabled", p: "paused", a: "active" })[letter]),
    );
    expect(all[2]).toEqual({
      relayer: expect.objectContaining({ id: "eth-main-2", paused: true }),
      status: {
        network_type: "evm",
        balance: "1500000000000000000",
        pending_transactions_count: 1,
        last_confirmed_transaction_timestamp: null,
        system_disabled: false,
        paused: true,
        nonce: "42",
      },
      health: { state: "paused", reasons: [] },
    });
    expect(all[2].relayer.custom_rpc_urls[0].url).toBe("https://rpc.example.org/***");
    expect(stdout).toContain("340282366920938463463374607431768211455");
  });

  test("has the same order in every format", async () => {
    const ids = (await cli("relayers status -o name")).stdout.split("\n");
    const piped = await cli("relayers status");
    expect(piped.stdout.split("\n").map((row) => row.split("\t")[0])).toEqual(ids);
    const lines = (await cli("relayers status -o ndjson")).stdout.trimEnd().split("\n");
    expect([...lines.map((line) => JSON.parse(line).relayer.id), ""]).toEqual(ids);
    expect((await cli("relayers status -o csv")).stdout.split("\r\n")[0]).toBe(
      "relayer.id,health.state,health.reasons,relayer.name,relayer.network,relayer.network_type,relayer.paused,relayer.address," +
        "status.balance,status.pending_transactions_count,status.nonce,status.sequence_number," +
        "status.last_confirmed_transaction_timestamp",
    );
    expect((await cli("relayers status -o yaml")).stdout).toMatch(/^- relayer:\n {4}id: eth-sepolia\n/);
    expect(JSON.parse((await cli("relayers status -o raw")).stdout).data).toHaveLength(8);
  });

  test("uses that form for --fields, --where, --sort, and --query", async () => {
    const line = "relayers status --where health.reasons~sync --sort -relayer.id --fields relayer.id,health.state";
    expect((await cli(line)).stdout).toBe("xlm-pay\tdisabled\neth-sepolia\tdisabled\n");
    expect((await cli(`${line} -o table`)).stdout).toMatch(/^RELAYER\.ID +HEALTH\.STATE\nxlm-pay +disabled\n/);
    const query = ["relayers", "status", "-o", "json", "--query", "[?health.state=='paused'].relayer.id"];
    expect(JSON.parse((await cli(query)).stdout)).toEqual(["eth-main-2"]);
  });

  test("rejects a field of the relayer alone, with the closest ones", () =>
    says({ exitCode: 2, requests: [] }, "relayers status --where network=base", "closest: relayer.network, "));

  test("shows the requests with --dry-run, and sends nothing", async () => {
    const ran = await ends({ exitCode: 0, requests: [] }, "relayers status base-hot --dry-run");
    expect(ran.stdout).toContain("GET /api/v1/relayers?page=1&per_page=1000");
    expect(ran.stdout).toContain("GET /api/v1/relayers/base-hot/status");
    expect((await cli("relayers status base-hot --brief --dry-run")).stdout).not.toContain("base-hot");
    expect((await cli("relayers status --dry-run")).stderr).toContain(
      "note: the status requests that follow depend on this list\n",
    );
  });
});

describe("relayers status --check", () => {
  test("prints as usual, and exits with 13 if any relayer is disabled or paused", async () => {
    const ran = await exits(13, "relayers status --check");
    expect(ran.stdout).toBe((await cli("relayers status --brief")).stdout);
    expect(ran.stderr).toBe("error: the check failed: 2 disabled and 1 paused of 8 relayers\n");
  });

  test("ends with the error as JSON with -o json", async () => {
    const ran = await cli("relayers status eth-main-2 --check -o json");
    expect(JSON.parse(ran.stdout)).toHaveLength(1);
    const message = "the check failed: 1 paused of 1 relayer";
    expect(JSON.parse(ran.stderr).error).toMatchObject({ code: "unmet", message, exit_code: 13, applied: "no" });
  });

  test.each([
    ["base-hot sol-pay", 0],
    ["--where health.state!=disabled", 13],
    ["--where health.state=active", 0],
    ["--where relayer.network=none", 0],
  ])("with %s checks only the relayers shown: %d", async (choice, code) => {
    expect(await cli(`relayers status --check ${choice}`)).toMatchObject({ exitCode: code });
  });

  test("still fails if the reader of stdout leaves early", async () =>
    expect(await cli("relayers status --check", { stdoutFault: new ClosedPipe() })).toMatchObject({ exitCode: 13 }));
});

test("relayers list suggests relayers status if relayers need attention, with the same flags", async () => {
  const { stderr } = await cli("relayers list --demo", { env: {}, terminal: true, columns: 200 });
  expect(stderr).toBe("8 relayers · demo · 3 need attention: relayctl --demo relayers status\n");
});
