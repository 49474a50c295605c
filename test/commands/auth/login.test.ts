import { join } from "node:path";
import { loginNotes } from "../../../src/commands/auth/login.ts";
import type { Config } from "../../../src/config/config.ts";
import { createConfigStore } from "../../../src/config/store.ts";
import { messageText } from "../../../src/message.ts";
import { realSurroundings } from "../../config/surroundings.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { sampled } from "../../helpers/deep.ts";
import { exited } from "../../helpers/exited.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { TOKEN, testApp, type World } from "../../helpers/test-app.ts";
import { CONFIG, EMPTY, LOCAL, runWith } from "../context/stored-world.ts";

const PERSON = { terminal: true, config: EMPTY };
const SIGNED_IN = { server: LOCAL, token: TOKEN };

describe("on a terminal", () => {
  test("asks for the server, and for the token without echo", async () => {
    const { exitCode, stdout, stderr, config, questions, requests } = await runWith(["auth", "login"], {
      ...PERSON,
      answers: [`${LOCAL}/api/v1/`, TOKEN],
    });
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toBe(
      `✓ signed in to ${LOCAL} as context default (8 relayers seen)\n  the token is in config.json, readable only by you\n`,
    );
    expect(questions).toEqual(["Server URL:", "Token (hidden):"]);
    expect(config).toEqual({ version: 1, current: "default", contexts: { default: SIGNED_IN } });
    expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/relayers?page=1&per_page=1",
    ]);
  });

  test("asks only for missing values", async () => {
    const { exitCode, questions } = await runWith(["auth", "login", "--server", LOCAL], {
      ...PERSON,
      answers: [TOKEN],
    });
    expect([exitCode, questions]).toEqual([0, ["Token (hidden):"]]);
  });

  test("asks for a name if there are other contexts, so that a second service replaces nothing unseen", async () => {
    const config = {
      version: 1,
      current: "prod",
      contexts: { prod: { server: "https://relayer.example.org" } },
    } as const;
    const ran = await exited(0, runWith(["auth", "login"], { ...PERSON, config, answers: ["local", LOCAL, TOKEN] }));
    expect(ran.questions).toEqual(["Name of the new context:", "Server URL:", "Token (hidden):"]);
    expect(ran.config).toEqual({ ...config, contexts: { ...config.contexts, local: SIGNED_IN } });
    const again = await runWith(["auth", "login", "-c", "prod"], { ...PERSON, config, answers: [LOCAL, TOKEN] });
    expect(again.questions).not.toContain("Name of the new context:");
  });

  test.each(["", "two words", "line\nend"])("rejects the token %j", async (token) => {
    const { exitCode, stderr, config } = await runWith(["auth", "login", "--server", LOCAL], {
      ...PERSON,
      answers: [token],
    });
    expect([exitCode, config]).toEqual([2, EMPTY]);
    expect(stderr).toMatch(/^error: token: contains /);
  });
});

test("rejects an invalid stored server without showing it", async () => {
  const config = { version: 1, contexts: { default: { server: "https://me:hunter2@x.example" } } } as const;
  const argv = ["auth", "login", "--token-file", "-"];
  const { exitCode, stdout, stderr } = await runWith(argv, { stdin: TOKEN, config });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("the context's server: must not contain a user name");
  expect(stderr).not.toContain("hunter2");
});

describe("in a script", () => {
  const FLAGS = ["auth", "login", "--server", LOCAL, "--token-file", "-"];

  test("takes both values from flags", async () => {
    const { exitCode, stdout, config } = await runWith(FLAGS, { config: EMPTY, stdin: `${TOKEN}\n` });
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(config.contexts.default).toEqual(SIGNED_IN);
  });

  test("reports all missing values", async () => {
    const { exitCode, stderr, requests } = await runWith(["auth", "login"], { config: EMPTY });
    expect([exitCode, requests]).toEqual([2, []]);
    expect(stderr).toContain("--server: is required because no terminal is attached");
    expect(stderr).toContain("--token-file: is required because no terminal is attached");
  });

  test("renews the token of a given context", async () => {
    const { exitCode, config } = await runWith(["auth", "login", "--context", "dev", "--token-file", "t"], {
      files: { t: TOKEN, "/ca.pem": "-----BEGIN CERTIFICATE-----" },
    });
    expect(exitCode).toBe(0);
    expect(config).toEqual({ ...CONFIG, contexts: { ...CONFIG.contexts, dev: { ...SIGNED_IN, ca_file: "/ca.pem" } } });
  });

  test("ignores the variables of another service", async () => {
    const env = { RELAYCTL_SERVER: "https://env.example", RELAYCTL_TOKEN: "", RELAYCTL_CONTEXT: "gone" };
    const { exitCode, stderr, config } = await runWith(FLAGS, { config: EMPTY, stdin: TOKEN, env });
    expect([exitCode, config.contexts.default]).toEqual([0, SIGNED_IN]);
    expect(stderr).toContain("note: RELAYCTL_SERVER is set and overrides this context unless you specify --context");
    expect(stderr).not.toContain("RELAYCTL_TOKEN is set");
  });
});

describe("the stored context", () => {
  test("is the given context, and the current context stays the same", async () => {
    const argv = ["auth", "login", "--context", "ci", "--server", LOCAL, "--token-file", "-"];
    const { stderr, config } = await runWith(argv, { stdin: TOKEN });
    expect(config).toEqual({ ...CONFIG, contexts: { ...CONFIG.contexts, ci: SIGNED_IN } });
    expect(stderr).toContain("note: the current context is still prod; run relayctl context use ci to switch");
  });

  test("keeps its protection, but nothing trusted for the old server", async () => {
    const prod = { server: "http://prod.example", token: "old-token", protected: true, allow_http: true };
    const argv = ["auth", "login", "--context", "prod", "--server", LOCAL, "--token-file", "-", "--yes"];
    const { config } = await runWith(argv, { stdin: TOKEN, config: { version: 1, contexts: { prod } } });
    expect(config.contexts.prod).toEqual({ ...SIGNED_IN, protected: true });
  });

  test("needs confirmation to move if protected, but not to replace its token", async () => {
    const argv = ["auth", "login", "--context", "prod", "--server", LOCAL, "--token-file", "-"];
    const moved = await runWith(argv, { stdin: TOKEN });
    expect([moved.exitCode, moved.config, moved.requests]).toEqual([3, CONFIG, []]);
    expect(moved.stderr).toContain("moving a protected context requires confirmation");
    const prod = { server: LOCAL, token: "old-token", protected: true };
    const same = await runWith(argv, { stdin: TOKEN, config: { version: 1, contexts: { prod } } });
    expect([same.exitCode, same.config.contexts.prod]).toEqual([0, { ...SIGNED_IN, protected: true }]);
  });

  test("has a note if its server is the server of a protected context", async () => {
    const prod = { server: LOCAL, token: "old-token", protected: true };
    const argv = ["auth", "login", "--context", "ci", "--server", LOCAL, "--token-file", "-"];
    const { stderr } = await exited(0, runWith(argv, { stdin: TOKEN, config: { version: 1, contexts: { prod } } }));
    expect(stderr).toContain("note: this is the server of the protected context prod; ");
  });

  test("has the permission that the login needed", async () => {
    const argv = ["auth", "login", "--server", "http://relayer.example", "--allow-http", "--token-file", "-"];
    const { exitCode, stderr, config } = await runWith(argv, { stdin: TOKEN, config: EMPTY });
    expect([exitCode, config.contexts.default]).toEqual([
      0,
      { server: "http://relayer.example", token: TOKEN, allow_http: true },
    ]);
    expect(stderr).toContain("note: the token is sent to http://relayer.example without encryption, as allowed");
  });
});

describe("stores nothing", () => {
  const refusal = reply(401, { success: false, code: 401, error: "Unauthorized", message: "Unauthorized" });

  test("if the service refuses the token", async () => {
    const argv = ["auth", "login", "--server", LOCAL, "--token-file", "-"];
    const { exitCode, config, stderr } = await runWith(argv, {
      stdin: "another-token",
      config: EMPTY,
      service: async () => refusal,
    });
    expect([exitCode, config]).toEqual([4, EMPTY]);
    expect(stderr).toBe(
      `error: Unauthorized\n  ${LOCAL} rejected the token from --token-file -\n  nothing was stored\n  hint: relayctl --server ${LOCAL} auth login --help\n`,
    );
  });

  test("if the service fails, and suggests a check of the service instead of help", async () => {
    const argv = ["auth", "login", "--server", LOCAL, "--token-file", "-", "--retries", "0"];
    const { exitCode, config, stderr } = await runWith(argv, {
      stdin: "another-token",
      config: EMPTY,
      service: async () => reply(500, { success: false, data: null, error: "Internal Server Error" }),
    });
    expect([exitCode, config]).toEqual([9, EMPTY]);
    expect(stderr).toBe(
      `error: Internal Server Error\n  nothing was stored\n  hint: relayctl --server ${LOCAL} server ready\n`,
    );
  });

  test.each<[string[], string]>([
    [["--server", "https://me:hunter2@x.example"], "--server: must not contain a user name"],
    [["--server", "http://relayer.example"], "plain HTTP would expose the token"],
    [["--server", LOCAL, "--context", "a b"], "--context a b: a context's name has"],
    [["--server", LOCAL, "--timeout", "30"], "--timeout 30: needs a unit"],
    [["--demo"], "--demo: not supported"],
    [["--server", LOCAL, "--dry-run"], "--dry-run: not supported"],
  ])("with %j", async (flags, message) => {
    const argv = ["auth", "login", ...flags, "--token-file", "-"];
    const { exitCode, stderr, config, requests } = await runWith(argv, { stdin: TOKEN, config: EMPTY });
    expect([exitCode, config, requests]).toEqual([2, EMPTY, []]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("hunter2");
  });
});

const LOGIN = { name: "prod", server: "https://prod.example", total: 1, current: "prod" };

function notes(login: Partial<typeof LOGIN> | { total: undefined }, env: Record<string, string> = {}): string[] {
  const { app } = testApp();
  return loginNotes(
    { config: { ...app.config, path: "/home/ada/.config/relayctl/config.json" }, env },
    { ...LOGIN, ...login },
  ).map(messageText);
}

describe("the notes after a login", () => {
  test("show the token's file relative to the home folder", () => {
    expect(notes({}, { HOME: "/home/ada" })[1]).toBe(
      "the token is in ~/.config/relayctl/config.json, readable only by you",
    );
    expect(notes({}, { HOME: "/home/a" })[1]).toBe(
      "the token is in /home/ada/.config/relayctl/config.json, readable only by you",
    );
  });

  test.each([
    [0, " (0 relayers seen)"],
    [1, " (1 relayer seen)"],
    [undefined, ""],
  ])("show the number of relayers: %j", (total, words) => {
    expect(notes({ total } as { total: undefined })[0]).toBe(
      `signed in to https://prod.example as context prod${words}`,
    );
  });

  test("mention another current context and each variable that overrides this one", () =>
    expect(notes({ current: "dev" }, { RELAYCTL_TOKEN: "t", RELAYCTL_SERVER: "" }).slice(2)).toEqual([
      "note: the current context is still dev; run relayctl context use prod to switch",
      "note: RELAYCTL_TOKEN is set and overrides this context unless you specify --context",
    ]));
});

const accept: NonNullable<World["service"]> = async () => success([]);
const refuse: typeof accept = async () => refusal(401, "Unauthorized");
const OTHER = "http://127.0.0.1:8081";

/** The tokens whose login fails, by what fails. */
type Failures = Partial<Record<"keyring" | "disk" | "server", string>>;

/** Stands in for `pass`; `test/commands/auth/stores.test.ts` runs a program. Each run takes a moment. */
function memoryPass(cut = "nothing"): NonNullable<World["execute"]> {
  const kept = new Map<string, string>();
  const moment = () => new Promise((resolve) => setImmediate(resolve));
  return async ([, verb, ...words], { input }) => {
    const entry = words.at(-1) ?? "";
    for (let turn = 0; turn < 10; turn++) await moment();
    if (input !== undefined) kept.set(entry, input.includes(cut) ? "cut" : input);
    const found = kept.get(entry);
    if (verb === "rm") kept.delete(entry);
    if (found !== undefined) return { stdout: verb === "show" ? found : "" };
    return { stdout: "", stderr: "it is not in the password store", status: 1, problem: "it ended with status 1" };
  };
}

/** Logs in as two processes with one config and one store do. */
function processes(fails: Failures = {}) {
  const folder = join(temporaryFolder(), "relayctl");
  const note = async () => {};
  const configStore = createConfigStore({
    ...{ folder: () => folder, user: process.getuid?.(), note },
    surroundings: realSurroundings(),
  });
  const execute = memoryPass(fails.keyring);
  const fullDisk: typeof configStore = {
    ...configStore,
    path: join(folder, "config.json"),
    change: async (edit, failed) => {
      const full = async (config: Config) => {
        await edit(config);
        throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      };
      await configStore.change(full, failed);
    },
  };
  const run = async (argv: readonly string[], stdin = "") => {
    const isFull = fails.disk !== undefined && stdin.includes(fails.disk);
    const service = fails.server !== undefined && stdin.includes(fails.server) ? refuse : accept;
    return await runWith(argv, { stdin, configStore: isFull ? fullDisk : configStore, execute, service });
  };
  return {
    login: (server: string, token: string) =>
      run(["auth", "login", "--context", "ci", "--server", server, "--token-file", "-", "--store", "pass"], token),
    token: async () => (await run(["auth", "token", "--context", "ci"])).stdout.trim(),
    server: async () => (await configStore.read()).contexts.ci?.server,
  };
}

test.each([
  ["to one service", LOCAL],
  ["to two services", OTHER],
])(
  "two logins at once %s leave a token that works, and the other one says that it stored nothing",
  async (_, second) => {
    const world = processes();
    const [one, other] = ["token-of-the-first-login", "token-of-the-second-login"];
    const ended = await Promise.all([world.login(LOCAL, one), world.login(second, other)]);
    expect(ended.map(({ exitCode }) => exitCode).sort(), ended.map(({ stderr }) => stderr).join()).toEqual([0, 6]);
    const isFirst = ended[0].exitCode === 0;
    expect([await world.token(), await world.server()]).toEqual(isFirst ? [one, LOCAL] : [other, second]);
    expect(ended[isFirst ? 1 : 0].stderr).toContain("another login changed context ci meanwhile; nothing was stored");
  },
);

test("two further logins at once leave the token of the last one", async () => {
  const world = processes();
  expect((await world.login(LOCAL, "token-of-the-first-login")).exitCode).toBe(0);
  const tokens = ["token-of-the-second-login", "token-of-the-third-login"];
  const ended = await Promise.all(tokens.map((token) => world.login(LOCAL, token)));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(tokens).toContain(await world.token());
});

const OLD = "token-of-the-first-login";
const [GOOD, BAD, WORSE] = ["token-that-is-stored", "token-that-fails-first", "token-that-fails-second"];
const FAILURES = ["keyring", "disk", "server"] as const;
const CASES = FAILURES.flatMap((one) => FAILURES.map((other) => ({ one, other })));

test.each(sampled(CASES, 4))(
  "logins at once, of which two fail by $one and $other, leave the token of the third",
  async (each) => {
    for (const isFurther of [true, false])
      for (const tokens of [
        [GOOD, BAD, WORSE],
        [BAD, GOOD, WORSE],
        [BAD, WORSE, GOOD],
      ]) {
        const fails = { [each.other]: WORSE };
        const world = processes({ ...fails, [each.one]: each.one === each.other ? "fails" : BAD });
        if (isFurther) expect(await world.login(LOCAL, OLD)).toMatchObject({ exitCode: 0 });
        const ended = await Promise.all(tokens.map((token) => world.login(LOCAL, token)));
        const codes = ended.map(({ exitCode }) => exitCode);
        expect(codes[tokens.indexOf(GOOD)], ended.map(({ stderr }) => stderr).join()).toBe(0);
        expect(codes.filter((code) => code === 0)).toHaveLength(1);
        expect([await world.token(), await world.server()]).toEqual([GOOD, LOCAL]);
      }
  },
);
