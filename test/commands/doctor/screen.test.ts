import { cli, exited, printedError, type World } from "../../helpers/cli.ts";
import { serviceWith, well } from "./sick.ts";

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
