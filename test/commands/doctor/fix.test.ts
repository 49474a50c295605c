import { cancelError } from "../../../src/errors.ts";
import { cli, ends, exits, SERVER, TOKEN } from "../../helpers/cli.ts";
import { hook, ward, well } from "./sick.ts";

const NONE = undefined;
const terminal = { terminal: true, columns: 200 };

test("asks for each complete command, runs it as if it had been typed, and examines again", async () => {
  const other = well({ id: "r2", address: `0x${"2".repeat(40)}` }, { gas_price_cap: NONE });
  const { world } = ward({ relayers: [well({ paused: true }), other] });
  const ran = await cli("doctor --fix", { ...world, ...terminal, answers: [true, false] });
  expect(ran.questions).toEqual([
    "Run relayctl relayers resume r1?",
    "Run relayctl relayers update r2 --policy gas_price_cap=200gwei?",
  ]);
  expect(ran.stderr).toContain("warn REL-PAUSED r1: paused");
  expect(ran.stderr).toContain("✓ r1 in http://127.0.0.1:8080");
  expect(ran.stderr).toContain("1 command was run");
  expect(ran.stdout).not.toContain("REL-PAUSED");
  expect(ran.stdout).toContain("REL-NO-CAP");
  expect(ran.writes.map(({ method, body }) => [method, body])).toContainEqual(["PATCH", '{"paused":false}']);
});

test("offers no command with a placeholder, and none that needs a secret", async () => {
  const { world } = ward({ relayers: [well({}, { whitelist_receivers: NONE })] });
  await ends({ questions: [], exitCode: 0 }, "doctor --fix", { ...world, ...terminal });
});

test("leaves the questions of a command to the command", async () => {
  const { world } = ward({
    more: { notifications: [{ id: "ops", has_signing_key: true, signing_key: "k".repeat(32) }, { id: "old" }] },
  });
  const ran = await cli("doctor --fix --only HOOK-UNUSED", { ...world, ...terminal, answers: [true, false] });
  expect(ran.questions).toHaveLength(2);
  expect(ran.stderr).toContain("1 command was run, and failed");
  expect(ran.writes).toEqual([]);
});

test("ends at Ctrl-C, and lists the commands that ran until then", async () => {
  const stop = cancelError("interrupted");
  const other = well({ id: "r2", address: `0x${"2".repeat(40)}`, paused: true });
  const two = () => ward({ relayers: [well({ paused: true }), other] }).world;
  const second = await exits(130, "doctor --fix", { ...two(), ...terminal, answers: [true, stop] });
  expect(second.stderr).toContain("Interrupted. 1 command was run.");
  expect(second.stderr).not.toContain("Canceled. Nothing was sent.");
  const first = await cli("doctor --fix", { ...two(), ...terminal, answers: [stop] });
  expect({ code: first.exitCode, writes: first.writes }).toEqual({ code: 130, writes: [] });
  expect(first.stderr).toContain("Canceled. Nothing was sent.");
  const more = { notifications: ["ops", "old", "older"].map((id) => hook({ id })) };
  const inside = await cli("doctor --fix --only HOOK-UNUSED", {
    ...ward({ more }).world,
    ...terminal,
    answers: [true, stop],
  });
  expect({ code: inside.exitCode, writes: inside.writes }).toEqual({ code: 130, writes: [] });
  expect(inside.questions).toHaveLength(2);
  expect(inside.stderr).toContain("Interrupted. 1 command was run, and failed.");
});

test("changes the modes of files without a shell, and reports if that fails", async () => {
  const path = "it's $(open)";
  const ran: (readonly string[])[] = [];
  const world = (problem?: string) => ({
    ...ward({}).world,
    ...terminal,
    env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN_FILE: path },
    files: { [path]: TOKEN },
    othersMay: (asked: string) => (asked === path && ran.length === 0 ? ("read" as const) : undefined),
    answers: [true],
    execute: async (argv: readonly string[]) => {
      ran.push(argv);
      return { stdout: "", ...(problem !== undefined && { problem }) };
    },
  });
  const fixed = await cli("doctor --fix", world());
  expect(fixed.questions).toEqual(["Run chmod 600 'it'\\''s $(open)'?"]);
  expect(ran).toEqual([["chmod", "600", path]]);
  expect(fixed.stderr).toContain("1 command was run\n");
  ran.length = 0;
  const failing = await cli("doctor --fix", world("it ended with status 1"));
  expect(failing.stderr).toContain("it ended with status 1");
  expect(failing.stderr).toContain("1 command was run, and failed");
});

test("needs a terminal, and never takes a yes for granted", async () => {
  const { world } = ward({ relayers: [well({ paused: true })] });
  for (const [line, more] of [
    ["doctor --fix", {}],
    ["doctor --fix --no-input", terminal],
    ["doctor --fix --yes", terminal],
  ] as const) {
    const ran = await cli(line, { ...world, ...more });
    expect({ code: ran.exitCode, requests: ran.requests }, line).toEqual({ code: 2, requests: [] });
  }
});

describe("doctor --junit", () => {
  test("writes one test for each check, with its finding or why it was skipped", async () => {
    const lineFiles = new Map<string, string[]>();
    const { world } = ward({ relayers: [well({ name: "<R1>", paused: true })] });
    await cli("doctor --junit report.xml --fail-on warn", { ...world, lineFiles });
    // In one piece, of which a full disk leaves nothing.
    expect(lineFiles.get("report.xml")).toHaveLength(1);
    const lines = lineFiles.get("report.xml")?.[0]?.split("\n") ?? [];
    expect(lines[0]).toBe('<?xml version="1.0" encoding="UTF-8"?>');
    expect(lines).toContain('  <testsuite name="service">');
    expect(lines).toContain('    <testcase classname="service" name="SVC-REACH"/>');
    expect(lines).toContain(
      '    <testcase classname="service" name="SVC-CLOCK"><skipped message="its responses show no date"/></testcase>',
    );
    expect(lines).toContain(
      '    <testcase classname="r1" name="REL-PAUSED"><failure type="warn" message="paused, and the journal here does not show by whom">relayctl relayers resume r1</failure></testcase>',
    );
    expect(lines.at(-1)).toBe("</testsuites>");
  });

  test("escapes what the service sends", async () => {
    const lineFiles = new Map<string, string[]>();
    const hostile = well({ system_disabled: true, disabled_reason: { type: '<x a="1">&\u001b[31m\ufffe\uffff' } });
    await cli("doctor --junit report.xml", { ...ward({ relayers: [hostile] }).world, lineFiles });
    const text = (lineFiles.get("report.xml") ?? []).join("\n");
    expect(text).toContain("&lt;x a=&quot;1&quot;&gt;&amp;\\u{1b}[31m\ufffd\ufffd");
    // Characters that XML 1.0 does not allow.
    expect(text).not.toMatch(/[\u001b\ufffe\uffff]/);
  });

  test("sends nothing if the file cannot be written", async () => {
    const lineFiles = new Map([["report.xml", ["old"]]]);
    await ends({ exitCode: 2, requests: [] }, "doctor --junit report.xml", { ...ward({}).world, lineFiles });
  });
});
