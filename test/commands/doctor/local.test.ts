import type { Config } from "../../../src/config/config.ts";
import { doctorCodesFor } from "../../../src/doctor/codes.ts";
import { usageError } from "../../../src/errors.ts";
import { runHere, TOKEN, testApp, type World } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { intent } from "../history/recorded.ts";
import { changed } from "./rows/here.ts";

const NOW = Date.parse("2026-11-21T03:12:07Z");
const PEM = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----";
const CONTEXT = { server: "https://relayer.example", token: TOKEN };

function configOf(context: Partial<Config["contexts"][string]> = {}): Config {
  return { version: 1, current: "prod", contexts: { prod: { ...CONTEXT, ...context } } };
}

const ENV = { HOME: "/home/ada", SHELL: "/bin/bash", LANG: "C.UTF-8" };
const HEALTHY: World = {
  env: ENV,
  config: configOf(),
  files: { "/home/ada/.bashrc": 'eval "$(relayctl completion bash)"', "/ca.pem": PEM },
};

/** Runs `doctor --local` in a world that differs from a healthy one. */
async function examined(world: World = {}, flags: readonly string[] = []) {
  const made = testApp({ ...HEALTHY, ...world, files: { ...HEALTHY.files, ...world.files } });
  const ended = await runHere(made, ["doctor", "--local", ...flags]);
  return { ...ended, requests: made.requests, questions: made.questions };
}

async function findings(world: World) {
  const { exitCode, stdout, requests } = await examined(world, ["-o", "json"]);
  expect(requests).toEqual([]);
  return {
    exitCode,
    found: JSON.parse(stdout).findings as { code: string; message: string; command: string | null }[],
  };
}

test("nothing is found on a healthy machine, and nothing is sent", async () => {
  const { exitCode, stdout, stderr, requests } = await examined({ config: configOf({ ca_file: "/ca.pem" }) });
  expect([exitCode, stdout, requests]).toEqual([0, "", []]);
  expect(stderr).toBe("nothing found in the setup of this machine\n");
});

/** What is wrong with a machine, the code that it has, the message, and the exit code unless it is 0. */
const SICK: readonly [string, World, string, string | RegExp, number?][] = [
  [
    "a config that cannot be read",
    {
      configStore: {
        read: async () => Promise.reject(usageError([{ where: "config.json", rule: "is not a relayctl config" }])),
      },
    },
    "CONF-READ",
    "config.json: is not a relayctl config",
    13,
  ],
  [
    "a config that others can read",
    { othersMay: (path) => (path === "config.json" ? "read" : undefined) },
    "CONF-MODE",
    "other users can read the config",
  ],
  ["an old Node.js", { runtime: { version: "20.18.1" } }, "NODE-VERSION", /^Node.js 20.18.1 has had no security fixes/],
  ["a journal that was changed", { journal: changed }, "JOURNAL-CHANGED", /the journal is not as it was/, 13],
  [
    "an unknown outcome",
    { journal: memoryJournal({ entries: [intent("a")] }) },
    "JOURNAL-UNKNOWN",
    /^1 write is not settled/,
  ],
  [
    "a folder that cannot be written",
    { machine: { canWrite: (folder) => folder !== "." } },
    "LOCAL-WRITE",
    "no file can be created in .",
    13,
  ],
  [
    "a token_command without its program",
    { config: withCommand("gone"), machine: { canRun: (program) => program !== "gone" } },
    "LOCAL-TOKEN",
    "the program of the token_command of context prod cannot be run: gone",
    13,
  ],
  [
    "a missing file with certificates",
    { config: configOf({ ca_file: "/gone.pem" }) },
    "LOCAL-CERT",
    "/gone.pem: cannot be read: it does not exist (from context prod)",
    13,
  ],
  [
    "a file without certificates",
    { env: { ...ENV, NODE_EXTRA_CA_CERTS: "/ca.pem" }, machine: { expiries: () => [] } },
    "LOCAL-CERT",
    "/ca.pem: contains no PEM certificate (from NODE_EXTRA_CA_CERTS)",
    13,
  ],
  [
    "a certificate that is not valid",
    {
      env: { ...ENV, RELAYCTL_CA_FILE: "/ca.pem" },
      machine: {
        expiries: () => {
          throw new Error("bad base64");
        },
      },
    },
    "LOCAL-CERT",
    "/ca.pem: contains a certificate that is not valid (from RELAYCTL_CA_FILE)",
    13,
  ],
  [
    "an expired certificate",
    { config: configOf({ ca_file: "/ca.pem" }), machine: { expiries: () => [NOW - 1, NOW + 1e9] } },
    "LOCAL-CERT-EXPIRED",
    "1 of 2 certificates in /ca.pem expired (from context prod)",
  ],
  [
    "a proxy that is not a URL",
    { env: { ...ENV, https_proxy: "ftp://me:hunter2@proxy.example" } },
    "LOCAL-PROXY",
    "https_proxy must begin with http:// or https://",
    13,
  ],
  [
    "a config of the future",
    { machine: { changedAt: (path) => (path === "config.json" ? NOW + 2 * 86_400_000 : undefined) } },
    "LOCAL-CLOCK",
    "the config was changed at 2026-11-23T03:12:07.000Z, after the time of the clock",
  ],
  [
    "a lock that is held",
    { machine: { changedAt: (path) => (path.endsWith(".lock") ? NOW - 100 : undefined) } },
    "LOCAL-LOCK",
    "another relayctl process is changing the config",
  ],
  [
    "a lock that was left",
    { machine: { changedAt: (path) => (path.endsWith(".lock") ? NOW - 60_000 : undefined) } },
    "LOCAL-LOCK",
    "a process left the lock config.json.lock",
  ],
  [
    "two programs named relayctl",
    { machine: { programs: () => ["/usr/bin/relayctl", "/opt/relayctl"] } },
    "LOCAL-PATH",
    "PATH has several programs named relayctl; /usr/bin/relayctl runs",
  ],
  [
    "a typo in a variable",
    { env: { ...ENV, RELAYCTL_TOKN: "x" } },
    "LOCAL-VARIABLE",
    "RELAYCTL_TOKN has no effect; did you mean RELAYCTL_TOKEN?",
  ],
  [
    "a variable that overrides the context",
    { env: { ...ENV, RELAYCTL_SERVER: "https://other.example" } },
    "LOCAL-OVERRIDE",
    "RELAYCTL_SERVER is set and overrides the current context prod",
  ],
  [
    "a context without a token",
    { config: { version: 1, current: "prod", contexts: { prod: CONTEXT, new: { server: CONTEXT.server } } } },
    "LOCAL-SIGNED-OUT",
    "context new has no token",
  ],
  [
    "no compiled code",
    { env: { ...ENV, NODE_DISABLE_COMPILE_CACHE: "1" } },
    "LOCAL-COMPILED",
    "NODE_DISABLE_COMPILE_CACHE is set, so each start compiles relayctl again",
  ],
  [
    "a locale without UTF-8",
    { env: { ...ENV, LC_ALL: "C" } },
    "LOCAL-LOCALE",
    "the locale C is not UTF-8, so relayctl prints only ASCII on a terminal",
  ],
  [
    "no completion",
    { files: { "/home/ada/.bashrc": "" } },
    "LOCAL-COMPLETION",
    "bash does not complete the words of relayctl",
  ],
];

function withCommand(program: string): Config {
  return { version: 1, current: "prod", contexts: { prod: { server: CONTEXT.server, token_command: [program] } } };
}

describe("doctor --local finds", () => {
  test.each(SICK)("%s, and nothing else", async (_, world, code, message, exitCode = 0) => {
    const ended = await findings(world);
    expect(ended.found.map((each) => each.code)).toEqual([code]);
    expect(ended.found[0]?.message).toMatch(message);
    expect(ended.exitCode).toBe(exitCode);
  });

  test("each thing that it has a code for", () => {
    const found = new Set(SICK.map(([, , code]) => code));
    expect(doctorCodesFor(true).filter((code) => !found.has(code))).toEqual([]);
  });
});

test("works without a context, a server, or a token", async () => {
  const { exitCode, stderr } = await examined({ config: { version: 1, contexts: {} } });
  expect([exitCode, stderr]).toEqual([
    0,
    "skipped: JOURNAL-CHANGED, JOURNAL-UNKNOWN: no journal is kept\nnothing found in the setup of this machine\n",
  ]);
});

test("finds no expired certificate among the many of a system", async () => {
  const expiries = () => [NOW - 1, ...Array.from({ length: 10 }, () => NOW + 1e9)];
  const { exitCode, stdout } = await examined({ config: configOf({ ca_file: "/ca.pem" }), machine: { expiries } });
  expect([exitCode, stdout]).toEqual([0, ""]);
});

test("runs no token_command", async () => {
  const execute = () => Promise.reject(new Error("a program was run"));
  expect(await examined({ config: withCommand("mint"), execute })).toMatchObject({ exitCode: 0 });
});

test("runs the commands that it offers, without a session", async () => {
  let mode: "read" | undefined = "read";
  const ran: (readonly string[])[] = [];
  const execute: World["execute"] = async (argv) => {
    ran.push(argv);
    mode = undefined;
    return { stdout: "" };
  };
  const world = { terminal: true, answers: [true], execute, config: withCommand("mint"), othersMay: () => mode };
  const { exitCode, questions, stderr } = await examined(world, ["--fix"]);
  expect([exitCode, questions, ran]).toEqual([0, ["Run chmod 600 config.json?"], [["chmod", "600", "config.json"]]]);
  expect(stderr).toContain("1 command was run");
});

test("writes a report for CI about this machine", async () => {
  const lineFiles = new Map<string, string[]>();
  const world = { lineFiles, env: { ...ENV, LC_ALL: "C" } };
  const { exitCode } = await examined(world, ["--junit", "report.xml", "--fail-on", "note"]);
  const text = lineFiles.get("report.xml")?.join("\n") ?? "";
  expect(exitCode).toBe(13);
  expect(text).toContain('<testsuite name="this machine">');
  expect(text.match(/<testcase /g)).toHaveLength(doctorCodesFor(true).length);
  expect(text).toContain('name="LOCAL-LOCALE"><failure type="note"');
});

test.each([
  [["r1"], "--local: cannot be combined with relayer IDs"],
  [["--all"], "--local: cannot be combined with --all"],
  [["--only", "REL-PAUSED"], "--only REL-PAUSED: needs a command without --local"],
])("rejects %j", async (flags, problem) => {
  const { exitCode, stderr, requests } = await examined({}, flags);
  expect([exitCode, requests]).toEqual([2, []]);
  expect(stderr).toContain(problem);
});

test("is needed for its codes", async () => {
  const made = testApp(HEALTHY);
  const { exitCode, stderr } = await runHere(made, ["doctor", "--only", "LOCAL-PATH"]);
  expect([exitCode, made.requests]).toEqual([2, []]);
  expect(stderr).toContain("--only LOCAL-PATH: needs a command with --local");
});
