import { createClient } from "../../../src/client/client.ts";
import { type DoctorOptions, examineService } from "../../../src/doctor/examine.ts";
import { cli, ends, exited, exitedSaying, printedError, type World } from "../../helpers/cli.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { TOKEN } from "../../helpers/test-app.ts";
import { testClientContext } from "../../helpers/test-link.ts";
import { disabledBy, examined, type Sick, serviceWith, ward, well, words } from "./sick.ts";

describe("doctor", () => {
  const PAUSED = () => serviceWith([well({ paused: true })]);

  test("finds nothing in a healthy service, and ends with 0", () =>
    exitedSaying({ exitCode: 0, findings: [] }, examined({ store: serviceWith([well()]) }), "nothing found in "));

  test("shows each problem with its command, and ends with 13 only if one fails", async () => {
    const paused = await examined({ store: PAUSED() });
    expect(words(paused)).toEqual(["warn REL-PAUSED r1"]);
    expect(paused).toMatchObject({ exitCode: 0, findings: [{ command: "relayctl relayers resume r1", since: null }] });
    expect(await examined({ store: PAUSED() }, "doctor --fail-on warn")).toMatchObject({ exitCode: 13 });
    const disabled = well({ system_disabled: true, disabled_reason: { type: "NonceSyncFailed" } });
    expect(await examined({ store: serviceWith([disabled]) })).toMatchObject({ exitCode: 13 });
  });

  test("shows who paused a relayer, as far as the journal knows", async () => {
    const { memoryJournal } = await import("../../helpers/memory/journal.ts");
    const world = {
      store: serviceWith([well()]),
      journal: memoryJournal(),
      env: { RELAYCTL_SERVER: "http://127.0.0.1:8080", RELAYCTL_TOKEN: "canary", RELAYCTL_JOURNAL: "journal" },
    };
    const { TOKEN } = await import("../../helpers/test-app.ts");
    world.env.RELAYCTL_TOKEN = TOKEN;
    await cli("relayers pause r1", world);
    const { findings } = await examined(world);
    expect(findings).toMatchObject([{ code: "REL-PAUSED", message: "paused by ada@console" }]);
    expect(findings[0]?.since).toMatch(/^2026-/);
  });

  test.each([0, 1])("shows a min_balance of %d wei", async (min_balance) => {
    const { findings } = await examined({ store: serviceWith([well({}, { min_balance })]) });
    expect(findings[0]?.message).toBe(
      `min_balance is ${min_balance} wei, so the relayer runs until it cannot pay for gas`,
    );
  });

  test("makes only the wanted checks", async () => {
    const store = () => serviceWith([well({ paused: true, notification_id: null })]);
    expect(words(await examined({ store: store() }))).toEqual([
      "warn REL-PAUSED r1",
      "warn REL-NO-NOTIFICATION r1",
      "note HOOK-UNUSED",
    ]);
    expect(words(await examined({ store: store() }, "doctor --only rel-paused"))).toEqual(["warn REL-PAUSED r1"]);
    expect(words(await examined({ store: store() }, "doctor --ignore REL-PAUSED,hook-unused"))).toEqual([
      "warn REL-NO-NOTIFICATION r1",
    ]);
  });

  test("refuses an unknown code, and suggests the nearest one", async () => {
    for (const flag of ["--only", "--ignore"]) {
      const { stderr } = await ends({ exitCode: 2, requests: [] }, `doctor ${flag} REL-PAUSD`);
      expect(stderr).toContain(`${flag} REL-PAUSD: unknown code (did you mean REL-PAUSED?)`);
    }
  });

  test("refuses to make no check, which would look like a healthy service", async () => {
    for (const line of ["doctor --only REL-PAUSED --ignore rel-paused", "doctor --only ,"])
      await ends({ exitCode: 2, requests: [] }, line);
  });

  test("refuses an unknown relayer, and what only a list of rows can show", async () => {
    const { stderr } = await exited(5, cli("doctor nobody noone"));
    expect(stderr).toBe("error: 2 relayers not found: nobody, noone\n  hint: relayctl relayers list\n");
    expect(await cli("doctor -o json --fields code")).toMatchObject({ exitCode: 2 });
    expect(await cli("doctor -o raw")).toMatchObject({ exitCode: 2 });
  });

  test("prints one row for each finding to a pipe", async () => {
    const { stdout, stderr } = await cli("doctor", { store: PAUSED() });
    expect(stdout).toBe(
      "REL-PAUSED\twarn\tr1\tpaused, and the journal here does not show by whom\t\trelayctl relayers resume r1\t\n",
    );
    expect(stderr).toContain("1 warning · 1 relayer of http://127.0.0.1:8080\n");
  });

  test("examines 100 relayers, the worst first, unless all are wanted", async () => {
    const world = { seed: "fleet:120" };
    const some = await examined(world, "doctor --only REL-PAUSED,REL-DISABLED");
    expect(some.findings).toHaveLength(7);
    expect(some.skipped).toContainEqual({
      code: null,
      relayer: null,
      reason: "20 further relayers were not examined: specify their IDs, or use --all",
    });
    const all = await examined(world, "doctor --all --only REL-PAUSED");
    expect(all.skipped).toEqual([]);
  });

  describe("doctor and a service that does not work", () => {
    test("reports a service that rejects the token", async () => {
      const found = await exited(4, examined({ service: async () => refusal(401, "Unauthorized") }));
      expect(words(found)).toContain("fail SVC-AUTH");
    });

    test("reports a missing token, and sends nothing", async () => {
      const found = await examined({ env: { RELAYCTL_SERVER: "http://127.0.0.1:8080" } });
      expect(words(found)).toEqual(["fail SVC-AUTH"]);
      expect(found.requests).toEqual([]);
      expect(found.skipped.length).toBeGreaterThan(10);
    });

    test("reports a service that refuses by rate, and the skipped checks", async () => {
      const found = await examined({ service: async () => refusal(429, "Too Many Requests") });
      expect(words(found)).toContain("warn SVC-RATE");
      expect(found.skipped).toContainEqual({
        code: "REL-DISABLED",
        relayer: null,
        reason: "the service limits the rate of requests",
      });
    });
  });
});

async function screenOf(line: string, world: World = {}) {
  const ran = await cli(line, { terminal: true, columns: 80, ...world });
  const stdout = ran.stdout.replaceAll(/\u001b\[\d+m/g, "");
  return { ...ran, stdout, lines: `${stdout}${ran.stderr}`.trimEnd().split("\n") };
}

test.each([60, 100])("doctor fits a terminal of %d columns", async (columns) => {
  const { stdout, stderr } = await exited(13, screenOf("doctor", { columns }));
  await expect(`${stdout}${stderr}`).toMatchFileSnapshot(`screens/demo-${columns}.txt`);
});

test("the report of the demo takes at most 40 lines, and ends with its counts, not with an error", async () => {
  const { lines, stderr } = await screenOf("doctor --demo");
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(stderr).toMatch(/^\d+ failures, \d+ warnings, \d+ notes · 8 relayers of demo/m);
  expect(stderr).not.toContain("error:");
});

test("a failure of doctor is still the last line for scripts", async () => {
  const { stderr } = await exited(13, cli("doctor -o json --demo"));
  const error = printedError(stderr);
  expect(error).toMatchObject({ code: "unmet", exit_code: 13, applied: "no" });
  expect(error.message).toMatch(/^\d+ failures, \d+ warnings, \d+ notes$/);
});

test("the same finding of many relayers is one entry, with their number and the first of them", async () => {
  const fleet = Array.from({ length: 40 }, (_, at) => well({ id: `r${at + 10}`, name: `r${at + 10}`, paused: true }));
  const { stdout } = await screenOf("doctor --only REL-PAUSED", { store: serviceWith(fleet) });
  expect(stdout).toMatch(/^! 40 relayers +paused.* REL-PAUSED\n +r10, r11, r12, and 37 more\n/);
  expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(4);
});

test("a command of few relayers has all of them, and -v shows each finding", async () => {
  const store = () => serviceWith(["a", "b"].map((id) => well({ id, name: id, paused: true })));
  const both = await screenOf("doctor --only REL-PAUSED", { store: store() });
  expect(both.stdout).toContain(" relayctl relayers resume a b\n");
  const each = await screenOf("doctor --only REL-PAUSED -v", { store: store() });
  for (const id of ["a", "b"]) expect(each.stdout).toContain(` relayctl relayers resume ${id}\n`);
});

test("notes are one line, whose command shows them", async () => {
  const few = await screenOf("doctor");
  const [, command = ""] = /^\d+ notes: relayctl (doctor --notes.*)$/m.exec(few.stderr) ?? [];
  expect(few.stdout).not.toMatch(/^·/m);
  const all = await screenOf(command);
  expect(all.stdout).toMatch(/^· .* REL-ANY-RECEIVER$/m);
  expect(all.stderr).not.toContain("--notes");
  expect((await screenOf("doctor --only REL-ANY-RECEIVER")).stdout).toMatch(/^· /);
});

test("skipped checks are counted, and their reasons shown with -v", async () => {
  const few = await screenOf("doctor");
  expect(few.stdout).not.toContain("skipped");
  expect(few.stderr).toMatch(/ · \d+\s+checks\s+skipped\s+on\s+\d\s+relayers\s+\(-v\)$/m);
  expect((await screenOf("doctor -v")).stdout).toMatch(/^· skipped +SVC-CLOCK: its responses show no date$/m);
});

test("a screen reader gets words in place of signs", async () => {
  const { stdout } = await screenOf("doctor --demo", { env: { RELAYCTL_ACCESSIBLE: "1" } });
  expect(stdout).toMatch(/^fail +eth-sepolia /);
  expect(stdout).not.toMatch(/[✗!·]/);
});

describe("the library", () => {
  const OTHER = `0x${"2".repeat(40)}`;

  /** Examines a service as the library does. */
  async function examined(sick: Sick, options?: DoctorOptions) {
    const { world } = ward(sick);
    const context = testClientContext(world.service, { token: TOKEN, clock: world.clock, retries: 0 });
    return await examineService(
      {
        clientFor: (remaining) => createClient({ ...context, remaining }),
        origin: "https://relayer.example.org",
        clock: world.clock,
        interrupt: context.controller.signal,
      },
      options,
    );
  }

  test("returns findings with commands for the same service, and no check of this machine", async () => {
    const { findings, skipped } = await examined({
      relayers: [well({ paused: true }, { whitelist_receivers: undefined })],
    });
    expect(findings).toEqual([
      {
        code: "REL-PAUSED",
        severity: "warn",
        relayer: "r1",
        message: "paused, and the journal here does not show by whom",
        since: null,
        command: "relayctl --server https://relayer.example.org relayers resume r1",
        advice: null,
      },
      expect.objectContaining({ code: "REL-ANY-RECEIVER", severity: "note" }),
    ]);
    expect(skipped.map(({ code }) => code).filter((code) => /^(?:CONF|NODE-|JOURNAL)/.test(code ?? ""))).toEqual([]);
  });

  test("examines the given relayers for the given codes alone", async () => {
    const relayers = [well({ paused: true }), well({ id: "r2", address: OTHER, paused: true })];
    const only = async (options: DoctorOptions) =>
      (await examined({ relayers }, options)).findings.map(({ code, relayer }) => `${code} ${relayer}`);
    expect(await only({ relayers: ["r2"] })).toEqual(["REL-PAUSED r2"]);
    expect(await only({ only: ["REL-PAUSED"], ignore: ["REL-PAUSED"] })).toEqual([]);
    expect(await only({ only: ["REL-NO-CAP"] })).toEqual([]);
    await expect(only({ relayers: ["nobody"] })).rejects.toMatchObject({ failure: "not_found" });
  });

  test("reports the checks that were skipped when the time ran out, and a token that is rejected", async () => {
    const { findings, skipped } = await examined({}, { deadline: 0 });
    expect(findings).toEqual([]);
    expect(skipped).toContainEqual({ code: "SVC-REACH", relayer: null, reason: "the time limit was reached" });
    const refused = await examined({ failures: [{ method: "GET", path: "/api/v1/relayers", status: 401, rate: 1 }] });
    expect(refused.findings).toMatchObject([{ code: "SVC-AUTH", severity: "fail" }]);
  });
});

const OWN = { custom_rpc_urls: [{ url: "https://rpc.example.org/v3/key", weight: 100 }] };
const RPC = "RpcValidationFailed";
/** The reasons, the fields, what every command says of the reason, and what it says that helps. */
const CASES = [
  [["NonceSyncFailed"], {}, "nonce sync failed", "the service tries again by itself"],
  [[RPC], {}, "RPC validation failed", "relayctl networks update evm:mainnet --rpc-url URL"],
  [[RPC], OWN, "RPC validation failed", "its own RPC URLs cannot be changed while it is disabled"],
  [["BalanceCheckFailed"], {}, "balance below the minimum", "fund 0x70997970c51812dc3a010c7d01b50e0d17dc79c8"],
  [[RPC, "BalanceCheckFailed"], {}, "balance could not be read", "relayctl networks update evm:mainnet"],
  [["SignerLost"], {}, "SignerLost", ""],
] as const;

const LINES = [
  "relayers get r1",
  "relayers status r1",
  "tx send r1 --to 0x52908400098527886E0F7030069857D2E4169EE7 --value 1 --yes",
  "doctor --only REL-DISABLED",
];

describe.each(CASES)("a relayer that is disabled by %j", (reasons, fields, why, help) => {
  test.each(LINES)("is explained in the same words by %s", async (line) => {
    const { world } = ward({ relayers: [disabledBy(reasons, fields)] });
    const { stdout, stderr } = await cli(line, { ...world, terminal: true, columns: 1_000 });
    expect(`${stdout}${stderr}`).toContain(why);
    expect(`${stdout}${stderr}`.toLowerCase()).toContain(help.toLowerCase());
  });
});

test("a balance that was not read is not said to be too low", async () => {
  const { world } = ward({ relayers: [disabledBy(["BalanceCheckFailed"])] });
  const unread = { ...world, service: withoutStatus(world.service) };
  for (const line of [
    "relayers get r1",
    "tx send r1 --to 0x52908400098527886E0F7030069857D2E4169EE7 --value 1 --yes",
  ]) {
    const { stdout, stderr } = await cli(line, { ...unread, terminal: true, columns: 1_000 });
    expect(`${stdout}${stderr}`, line).toContain("balance below the minimum, or could not be read");
    expect(`${stdout}${stderr}`, line).toContain("if its balance is too low");
  }
  const { findings } = await examined(unread, "doctor --only REL-DISABLED,BAL-BELOW-MIN");
  expect(findings).toMatchObject([
    { code: "REL-DISABLED", message: "balance below the minimum, or could not be read" },
  ]);
});

/** The service fails to read the balance, as with a dead node. */
function withoutStatus(service: ReturnType<typeof ward>["world"]["service"]): typeof service {
  return async (request, limits) => {
    const found = await service(request, limits);
    return /\/(?:status|balance)$/.test(request.target) ? { ...found, status: 500 } : found;
  };
}
