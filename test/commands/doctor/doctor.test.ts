import { cli, ends, exited, exitedSaying } from "../../helpers/cli.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { examined, serviceWith, well, words } from "./sick.ts";

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
