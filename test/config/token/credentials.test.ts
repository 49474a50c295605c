import type { ServiceSettings, TokenSource } from "../../../src/config/settings.ts";
import { readExpiringCredentials, readToken, type TokenSources } from "../../../src/config/token/credentials.ts";

const SERVER = "https://relayer.example.org";
const CANARY = "canary-4b1f2c9a";

function settingsWith(token: TokenSource, context?: string): ServiceSettings {
  return {
    demo: false,
    server: { value: SERVER, from: "--server" },
    ...(context && { context: { value: context, from: "--context" } }),
    token,
    headers: [],
    protected: false,
    requiresReason: false,
    limits: {},
    allowHttp: { value: false, from: "default" },
    caFiles: [],
    nodes: {},
    erc20: {},
    timeout: { value: 1, from: "default" },
    retries: { value: 0, from: "default" },
    notes: [],
    variableNotes: [],
  };
}

interface World {
  file?: string | Uint8Array;
  stdin?: string;
  stdinIsTerminal?: boolean;
  execution?: { stdout: string; problem?: string };
}

function worldOf({ file = "", stdin = "", stdinIsTerminal = false, execution = { stdout: "" } }: World = {}) {
  const secrets: string[] = [];
  const runs: unknown[] = [];
  const bytes = (content: string | Uint8Array) =>
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  const sources: TokenSources = {
    files: { read: async () => bytes(file) },
    stdin: { isTerminal: stdinIsTerminal, read: async () => bytes(stdin) },
    secrets: { add: (secret) => void secrets.push(secret) },
    clock: { now: () => Date.parse("2026-11-23T10:00:00Z") },
    execute: async (...run) => {
      runs.push(run);
      return execution;
    },
  };
  return { sources, secrets, runs };
}

const FILE: TokenSource = { kind: "file", from: "--token-file", path: "/run/token" };
const COMMAND: TokenSource = { kind: "command", from: "context prod", argv: ["pass", "prod"], boundTo: SERVER };

describe("the token", () => {
  test.each<[string, TokenSource, World]>([
    ["a variable", { kind: "variable", from: "RELAYCTL_TOKEN", token: CANARY }, {}],
    ["a file", FILE, { file: CANARY }],
    ["a file with a final line break", FILE, { file: `${CANARY}\n` }],
    ["a file with a final Windows line break", FILE, { file: `${CANARY}\r\n` }],
    ["stdin", { ...FILE, path: "-" }, { stdin: `${CANARY}\n` }],
    ["a context, for its server", { kind: "stored", from: "context prod", token: CANARY, boundTo: SERVER }, {}],
    ["a program", COMMAND, { execution: { stdout: `${CANARY}\n` } }],
  ])("is read from %s, and redacted from then on", async (_, token, world) => {
    const { sources, secrets } = worldOf(world);
    expect(await readToken(settingsWith(token), sources)).toBe(CANARY);
    expect(secrets).toEqual([CANARY]);
  });

  test("is read from a program within ten seconds and 64 KiB", async () => {
    const { sources, runs } = worldOf({ execution: { stdout: CANARY } });
    await readToken(settingsWith(COMMAND), sources);
    expect(runs).toEqual([[["pass", "prod"], { timeout: 10_000, maxBytes: 65_538 }]]);
  });
});

describe("the token is not sent", () => {
  test.each<[string, TokenSource]>([
    ["stored", { kind: "stored", from: "context prod", token: CANARY, boundTo: "https://prod.example" }],
    ["printed", { ...COMMAND, boundTo: "https://prod.example" }],
    ["stored for another port", { kind: "stored", from: "context prod", token: CANARY, boundTo: `${SERVER}:8443` }],
    [
      "stored for another scheme",
      { kind: "stored", from: "context prod", token: CANARY, boundTo: "http://relayer.example.org" },
    ],
  ])("to another server than the one it was %s for", async (_, token) => {
    const { sources, runs } = worldOf({ execution: { stdout: CANARY } });
    await expect(readToken(settingsWith(token), sources)).rejects.toMatchObject({
      failure: "auth",
      message: expect.stringMatching(
        /^the token of context prod is for .*, not for https:\/\/relayer\.example\.org; nothing was sent$/,
      ),
      hint: `relayctl auth login --context NAME --server ${SERVER}`,
    });
    expect(runs).toEqual([]);
  });

  test("if there is none", async () => {
    await expect(readToken(settingsWith({ kind: "none" }), worldOf().sources)).rejects.toMatchObject({
      failure: "auth",
      message: "no token configured; nothing was sent",
      hint: "relayctl auth login",
    });
    await expect(readToken(settingsWith({ kind: "none" }, "prod"), worldOf().sources)).rejects.toMatchObject({
      message: "no token configured in context prod; nothing was sent",
      hint: "relayctl auth login --context prod",
    });
  });
});

describe("an invalid token is rejected without quoting it", () => {
  const BAD: [string, string | Uint8Array, string][] = [
    ["nothing", "", "contains no token"],
    ["only a line break", "\n", "contains no token"],
    ["two lines", `${CANARY}\n${CANARY}\n`, "contains several lines"],
    ["two final line breaks", `${CANARY}\n\n`, "contains several lines"],
    ["a space", `${CANARY} `, "contains a space, a control character, or a non-ASCII character"],
    ["a tab", `\t${CANARY}`, "contains a space, a control character, or a non-ASCII character"],
    ["a non-ASCII letter", `${CANARY}é`, "contains a space, a control character, or a non-ASCII character"],
    [
      "binary data",
      new Uint8Array([0xff, 0xfe, 0x00]),
      "contains a space, a control character, or a non-ASCII character",
    ],
    ["65 KiB", CANARY.repeat(5_000), "is longer than 64 KiB"],
  ];

  test.each(BAD)("in a file: %s", async (_, file, rule) => {
    const error = await rejection(FILE, { file });
    expect(error).toMatchObject({ failure: "usage", message: `--token-file /run/token: ${rule}` });
    expect(JSON.stringify(error)).not.toContain(CANARY);
  });

  test.each(BAD.filter(([, text]) => typeof text === "string" && text !== ""))(
    "in a variable: %s",
    async (_, text, rule) => {
      const error = await rejection({ kind: "variable", from: "RELAYCTL_TOKEN", token: String(text) });
      expect(error).toMatchObject({ failure: "usage", message: `RELAYCTL_TOKEN: ${rule}` });
      expect(JSON.stringify(error)).not.toContain(CANARY);
    },
  );

  test.each(BAD.filter(([, text]) => typeof text === "string"))("printed by a program: %s", async (_, stdout, rule) => {
    const error = await rejection(COMMAND, { execution: { stdout: String(stdout) } });
    expect(error).toMatchObject({
      failure: "auth",
      message: `the output of the token_command of context prod ${rule}; nothing was sent`,
    });
    expect(JSON.stringify(error)).not.toContain(CANARY);
  });
});

describe("a token_command may print JSON", () => {
  const printed = (stdout: string) => worldOf({ execution: { stdout } });

  test("with the token, and when it expires", async () => {
    const { sources, secrets } = printed(`{"token":"${CANARY}","expires_at":"2026-11-23T10:00:01Z"}\n`);
    const read = { token: CANARY, expiresAt: Date.parse("2026-11-23T10:00:01Z") };
    expect(await readExpiringCredentials(settingsWith(COMMAND), sources)).toEqual(read);
    expect(secrets).toContain(CANARY);
  });

  test.each([
    ["now", '"2026-11-23T10:00:00Z"'],
    ["long ago", "0"],
  ])("but a token that expired %s is refused", async (_, time) => {
    const error = await rejection(COMMAND, {
      execution: { stdout: `{"token":"${CANARY}","expires_at":${time}}` },
    });
    expect(error).toMatchObject({
      failure: "auth",
      message: expect.stringMatching(
        /^the token_command of context prod printed a token that expired at \S+Z, by the clock of this machine; nothing was sent$/,
      ),
    });
    expect(JSON.stringify(error)).not.toContain(CANARY);
  });

  test.each<[string, string, string]>([
    ["cut off", `{"token":"${CANARY}"`, "begins with { and is not valid JSON"],
    ["with a second value", `{"token":"${CANARY}"} x`, "begins with { and is not valid JSON"],
    ["without a token", `{"access_token":"${CANARY}"}`, 'has no text as "token"'],
    ["with a number as the token", '{"token":12345678}', 'has no text as "token"'],
    ["with an empty token", '{"token":""}', "contains no token"],
    ["with a line break in the token", `{"token":"${CANARY}\\r\\nx: y"}`, "contains several lines"],
    [
      "with NUL in the token",
      `{"token":"${CANARY}\\u0000"}`,
      "contains a space, a control character, or a non-ASCII character",
    ],
    [
      "with a word as the time",
      `{"token":"${CANARY}","expires_at":"soon"}`,
      'has an "expires_at" that is neither RFC 3339 with a zone nor seconds since 1970',
    ],
  ])("and JSON %s is refused without quoting it", async (_, stdout, rule) => {
    const error = await rejection(COMMAND, { execution: { stdout } });
    const message = `the output of the token_command of context prod ${rule}; nothing was sent`;
    expect(error).toMatchObject({ failure: "auth", message });
    expect(JSON.stringify(error)).not.toContain(CANARY);
  });
});

test("a token that is read again may be read after an interrupt, and an error claims less", async () => {
  const { sources, runs } = worldOf({ execution: { stdout: "", problem: "it ended with status 1" } });
  await expect(readExpiringCredentials(settingsWith(COMMAND), sources, true)).rejects.toMatchObject({
    message: "the token_command of context prod failed: it ended with status 1; nothing more was sent",
  });
  expect(runs).toEqual([[["pass", "prod"], { timeout: 10_000, maxBytes: 65_538, lasting: true }]]);
});

test("the failure of a program is reported with its problem and without its output", async () => {
  const error = await rejection(COMMAND, { execution: { stdout: CANARY, problem: "it ended with code 1" } });
  expect(error).toMatchObject({
    failure: "auth",
    message: "the token_command of context prod failed: it ended with code 1; nothing was sent",
  });
});

test("a terminal is rejected as a token file", async () =>
  expect(await rejection({ ...FILE, path: "-" }, { stdinIsTerminal: true })).toMatchObject({
    failure: "usage",
    message: expect.stringContaining("--token-file -: reads stdin, but stdin is a terminal"),
  }));

async function rejection(token: TokenSource, world: World = {}): Promise<unknown> {
  return await readToken(settingsWith(token), worldOf(world).sources).then(
    () => undefined,
    (error: unknown) => error,
  );
}
