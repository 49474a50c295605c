import type { ServiceSettings, TokenSource } from "../../../src/config/resolve-settings.ts";
import { readExpiringCredentials, readToken, type TokenSources } from "../../../src/config/token/credentials.ts";
import { printedToken, type TokenRead } from "../../../src/config/token/printed-token.ts";
import { createRenewal } from "../../../src/config/token/renewal.ts";
import { RelayctlError } from "../../../src/errors.ts";

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

describe("a printed token", () => {
  const NOON = Date.parse("2026-11-23T12:00:00Z");

  test.each([
    ["plain text", "abc\n", "abc"],
    ["plain text after a byte order mark", "\uFEFFabc", "abc"],
    ["JSON", '{"token":"abc"}', "abc"],
    ["JSON on several lines", '{\n  "token": "abc"\n}\n', "abc"],
    ["JSON after a byte order mark", '\uFEFF{"token":"abc"}', "abc"],
    ["JSON with null as the time", '{"token":"abc","expires_at":null}', "abc"],
    ["JSON with other members", '{"kind":"x","token":"abc","status":{"token":"y"}}', "abc"],
  ])("reads a token that does not expire from %s", (_, output, token) =>
    expect(printedToken(output)).toEqual({ token }),
  );

  test.each([
    ['"2026-11-23T12:00:00Z"', NOON],
    ['"2026-11-23t12:00:00.5z"', NOON + 500],
    ['"2026-11-23 13:00:00+01:00"', NOON],
    [String(NOON / 1_000), NOON],
    [`${NOON / 1_000}.25`, NOON + 250],
    [`${NOON / 1_000}.0`, NOON],
    ["0", 0],
  ])("reads the time %s", (time, expiresAt) => {
    expect(printedToken(`{"token":"abc","expires_at":${time}}`)).toEqual({ token: "abc", expiresAt });
  });

  test.each([
    ['"2026-11-23T12:00:00"', "without a zone"],
    ['"2026-11-23"', "without a time"],
    ['"2026-13-23T12:00:00Z"', "of the 13th month"],
    [String(NOON), "in milliseconds"],
    ["-1", "before 1970"],
    ["1e400", "that is too large"],
    ['"1795435200"', "that is a number in quotes"],
    ["true", "that is not a time"],
  ])("refuses the time %s %s", (time) => {
    expect(printedToken(`{"token":"abc","expires_at":${time}}`)).toEqual({
      rule: 'has an "expires_at" that is neither RFC 3339 with a zone nor seconds since 1970',
    });
  });

  test("refuses two tokens in one object", () =>
    expect(printedToken('{"token":"abc","token":"def"}')).toEqual({ rule: "begins with { and is not valid JSON" }));
});

describe("the renewal of a token", () => {
  function worldOf(first: TokenRead, ...next: (TokenRead | Error)[]) {
    let now = 0;
    let readings = 0;
    const read = async () => {
      readings++;
      const found = next.shift();
      if (found === undefined || found instanceof Error) throw found ?? new Error("no further token");
      return found;
    };
    const noted: string[] = [];
    const renewed = createRenewal(first, read, { now: () => now }, async ({ message }) => void noted.push(message));
    const token = async () => (await renewed()).token;
    return {
      noted,
      readings: () => readings,
      async at(time: number): Promise<string> {
        now = time;
        return await token();
      },
      token,
    };
  }

  test("keeps a token until five seconds before it expires", async () => {
    const world = worldOf({ token: "one", expiresAt: 60_000 }, { token: "two", expiresAt: 120_000 });
    expect(await world.at(54_999)).toBe("one");
    expect(await world.at(55_000)).toBe("two");
    expect(await world.at(114_999)).toBe("two");
    expect(world.readings()).toBe(1);
  });

  test("keeps a token that expires soon for half of its time", async () => {
    const world = worldOf({ token: "one", expiresAt: 2_000 }, { token: "two", expiresAt: 3_000 });
    expect(await world.at(999)).toBe("one");
    expect(await world.at(1_000)).toBe("two");
    expect(await world.at(1_999)).toBe("two");
    expect(world.readings()).toBe(1);
  });

  test("keeps a token that does not expire for good", async () => {
    const world = worldOf({ token: "one", expiresAt: 10_000 }, { token: "two" });
    expect(await world.at(10_000)).toBe("two");
    expect(await world.at(1e15)).toBe("two");
    expect(world.readings()).toBe(1);
  });

  test("reads once for requests at the same time", async () => {
    const world = worldOf({ token: "one", expiresAt: 0 }, { token: "two", expiresAt: 60_000 });
    expect(await Promise.all([world.token(), world.token(), world.token()])).toEqual(["two", "two", "two"]);
    expect(world.readings()).toBe(1);
  });

  test("reads again after a failure", async () => {
    const world = worldOf({ token: "one", expiresAt: 0 }, new Error("locked"), { token: "two", expiresAt: 60_000 });
    await expect(world.at(1)).rejects.toThrow("locked");
    expect(await world.at(2)).toBe("two");
  });

  test("uses a token while it lasts if it cannot be read again, notes that once, and tries again halfway", async () => {
    const failure = new RelayctlError("auth", "locked");
    const world = worldOf({ token: "one", expiresAt: 60_000 }, failure, failure, { token: "two", expiresAt: 120_000 });
    expect(await world.at(55_000)).toBe("one");
    expect(await world.at(57_499)).toBe("one");
    expect([world.readings(), world.noted]).toEqual([1, ["locked"]]);
    expect(await world.at(57_500)).toBe("one");
    expect([world.readings(), world.noted]).toEqual([2, ["locked"]]);
    expect(await world.at(58_750)).toBe("two");
  });

  test("fails once the token has expired, and reads it again for the next request", async () => {
    const failure = new RelayctlError("auth", "locked");
    const world = worldOf({ token: "one", expiresAt: 60_000 }, failure, { token: "two", expiresAt: 120_000 });
    await expect(world.at(60_000)).rejects.toThrow("locked");
    expect(await world.at(60_001)).toBe("two");
  });
});
