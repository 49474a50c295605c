import type { Config } from "../../../src/config/config.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { chosen, sampled } from "../../helpers/deep.ts";
import { exited } from "../../helpers/exited.ts";
import { success } from "../../helpers/service/reply.ts";
import { TOKEN, type World } from "../../helpers/test-app.ts";
import { EMPTY, LOCAL, runWith } from "../context/stored-world.ts";
import { ITEM_ID, installPrograms, type Programs, storePrograms, VAULT_ID } from "./store-programs.ts";

installPrograms();

const accept: NonNullable<World["service"]> = async () => success([]);
const POWERSHELL = ["powershell", "-NoProfile", "-NonInteractive", "-Command"];
const CHECK = "$ErrorActionPreference='Stop';if($env:OS -ne 'Windows_NT'){exit 4};";

/** Each store, its token_command for the context `ci`, and where it says that the token is. */
const STORES: readonly [string, readonly string[], string][] = [
  [
    "keychain",
    ["security", "find-generic-password", "-a", "ci", "-s", `relayctl ${LOCAL}`, "-w"],
    `the keychain: relayctl ${LOCAL}, account ci`,
  ],
  [
    "secret-service",
    ["secret-tool", "lookup", "service", "relayctl", "context", "ci", "server", LOCAL],
    "the keyring: relayctl ci",
  ],
  [
    "wincred",
    [
      ...POWERSHELL,
      `${CHECK}if(!(Test-Path -LiteralPath 'token-ci.dpapi')){exit 3};[Console]::Out.Write([Net.NetworkCredential]::new('',(Get-Content -LiteralPath 'token-ci.dpapi'|ConvertTo-SecureString)).Password)`,
    ],
    "a file that Windows encrypts for you: token-ci.dpapi",
  ],
  ["pass", ["pass", "show", "--", "relayctl/ci"], "pass: relayctl/ci"],
  ["op", ["op", "read", "--no-newline", `op://${VAULT_ID}/${ITEM_ID}/relayctl-token`], "1Password: relayctl ci"],
  ["vault", ["vault", "kv", "get", "-mount=secret", "-field=token", "relayctl/ci"], "Vault: secret/relayctl/ci"],
];

/** Stores whose programs are asked for a token with every character of a shell. */
const QUOTED: readonly string[] = chosen(STORES, 0, 2, 3).map(([store]) => store);

function configWith(context: Partial<Config["contexts"][string]>): Config {
  return { version: 1, current: "ci", contexts: { ci: { server: LOCAL, ...context } } };
}

async function login(programs: Programs, flags: readonly string[], world: World = {}) {
  const argv = ["auth", "login", "--context", "ci", "--server", LOCAL, "--token-file", "-", ...flags];
  return await runWith(argv, { stdin: TOKEN, config: EMPTY, execute: programs.execute, ...world });
}

describe.each(STORES)("%s", (store, tokenCommand, place) => {
  test("keeps the token, which no other process can see on its way", async () => {
    const programs = storePrograms();
    const { exitCode, stdout, stderr, config } = await login(programs, ["--store", store], {
      config: configWith({ token: "old-token" }),
    });
    expect(stderr).toBe(
      `signed in to ${LOCAL} as context ci (8 relayers seen)\nthe token is in ${place}\nthe plain token was removed from the config\n`,
    );
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(config).toEqual(configWith({ token_command: [...tokenCommand] }));
    expect(programs.kept()).toEqual([TOKEN]);
    expect(programs.visible()).not.toContain(TOKEN);
  });

  test.runIf(QUOTED.includes(store))(
    "prints exactly the token that was stored, whatever its characters are",
    async () => {
      const programs = storePrograms();
      const token = `-t"0'k\\e\\\\n$(id)\`id\`%s&<>;|*?~#!{}[]=,`;
      const { exitCode, stderr, config } = await login(programs, ["--store", store], { stdin: token, service: accept });
      expect([exitCode, programs.kept()], stderr).toEqual([0, [token]]);
      expect(programs.visible()).not.toContain(token);
      const printed = await runWith(["auth", "token"], { config, execute: programs.execute, stdoutTerminal: false });
      expect(printed.stdout).toBe(`${token}\n`);
    },
  );

  test("is not used if its program is missing", async () => {
    const programs = storePrograms({ missing: true });
    const { exitCode, stderr, config, requests } = await login(programs, ["--store", store]);
    expect([exitCode, config, requests]).toEqual([2, EMPTY, []]);
    expect(stderr).toMatch(
      new RegExp(`^error: --store ${store}: needs the program ${tokenCommand[0]}, which was not found; `),
    );
  });
});

/** Each runs programs a dozen times. */
describe.each(sampled(STORES, 6, 2))("%s", (store, _, place) => {
  test("keeps headers with the token in one entry, and forgets both", async () => {
    const programs = storePrograms();
    const { execute } = programs;
    const files = { h: "X-Api-Key: gateway-secret-1\n", more: "X-Other: gateway-secret-2\n" };
    const { config } = await login(programs, ["--store", store, "--header", "@h"], { files });
    expect(config.contexts.ci).toMatchObject({ headers: { "X-Api-Key": null } });
    expect(programs.kept()).toEqual([`{"token":"${TOKEN}","headers":{"X-Api-Key":"gateway-secret-1"}}`]);
    expect(programs.visible()).not.toContain("gateway-secret");
    const set = await runWith(["context", "set", "ci", "--header", "@more"], { config, execute, files });
    expect(set.config.contexts.ci?.headers).toEqual({ "X-Api-Key": null, "X-Other": null });
    for (const env of [{}, { RELAYCTL_TOKEN: TOKEN }]) {
      const { requests } = await runWith(["relayers", "list"], { config: set.config, execute, env });
      const headers = { "x-api-key": "gateway-secret-1", "x-other": "gateway-secret-2" };
      expect(requests[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, ...headers });
    }
    const unset = await runWith(["context", "set", "ci", "--unset-header", "X-Other"], { config: set.config, execute });
    expect(unset.config.contexts.ci?.headers).toEqual({ "X-Api-Key": null });
    const next = await login(programs, [], { config: unset.config });
    expect(next.config.contexts.ci?.headers).toEqual({ "X-Api-Key": null });
    const other = await runWith(["context", "set", "ci", "--no-token-command"], { config: next.config, execute });
    expect(other.stderr).toMatch(/the headers for \S+ were removed: X-Api-Key\n/);
    const out = await runWith(["auth", "logout"], { config: next.config, execute });
    expect([out.config, programs.kept()]).toEqual([configWith({}), []]);
  });

  test("shows where the token is", async () => {
    const programs = storePrograms();
    const { config } = await login(programs, ["--store", store]);
    const shown = await runWith(["context", "show", "ci"], { config, execute: programs.execute, terminal: true });
    expect(shown.stdout).toContain(`in ${place}, not shown`);
    const status = await runWith(["auth", "status", "-o", "json"], { config, execute: programs.execute });
    expect(JSON.parse(status.stdout)).toMatchObject({ token: "command", token_store: store });
  });

  test("keeps the next token without a question, and without --store", async () => {
    const programs = storePrograms();
    const first = await login(programs, ["--store", store], { stdin: "first-token", service: accept });
    const { exitCode, config } = await login(programs, [], { config: first.config });
    expect([exitCode, programs.kept()]).toEqual([0, [TOKEN]]);
    await exited({ stdout: `${TOKEN}\n` }, runWith(["auth", "token"], { config, execute: programs.execute }));
  });

  test("forgets the token when its context is signed out or deleted", async () => {
    for (const [argv, left] of [
      [["auth", "logout"], configWith({})],
      [["context", "delete", "ci", "--yes"], EMPTY],
    ] as const) {
      const programs = storePrograms();
      const { config } = await login(programs, ["--store", store]);
      const ended = await runWith(argv, { config, execute: programs.execute });
      expect([ended.exitCode, ended.config, programs.kept()], ended.stderr).toEqual([0, left, []]);
    }
  });
});

async function failedLogin(programs: Programs, flags: readonly string[], world: World = {}) {
  const config = configWith({ token: "old-token" });
  const ended = await login(programs, flags, { config, ...world });
  expect([ended.stdout, ended.config]).toEqual(["", config]);
  return ended;
}

describe("a login whose store fails changes nothing", () => {
  test("and shows what the program reported", async () => {
    const programs = storePrograms();
    programs.setMode("locked");
    const { stderr } = await exited(4, failedLogin(programs, ["--store", "pass"]));
    expect(stderr).toBe(
      "error: pass did not store the token: it ended with status 2\n  pass: gpg: the keyring is locked gpg: canceled\n  nothing was changed in the config\n  hint: relayctl --context ci --server http://127.0.0.1:8080 auth login --help\n",
    );
  });

  test("and shows nothing that contains the token", async () => {
    const programs = storePrograms();
    programs.setMode("echoes");
    const { exitCode, stderr } = await failedLogin(programs, ["--store", "pass"]);
    expect([exitCode, stderr]).toEqual([
      4,
      "error: pass did not store the token: it ended with status 1\n  nothing was changed in the config\n  hint: relayctl --context ci --server http://127.0.0.1:8080 auth login --help\n",
    ]);
  });

  test.each([
    ["prints garbage", "pass printed something else than the token that was stored"],
    ["cuts off", "pass printed something else than the token that was stored"],
    ["forgets", "pass did not print the token again: it ended with status 1"],
    ["hangs", "pass did not print the token again: it took longer than 60 s"],
  ] as const)("and removes the entry again if the program %s", async (mode, words) => {
    const programs = storePrograms();
    programs.setMode(mode);
    const { exitCode, stderr } = await failedLogin(programs, ["--store", "pass"]);
    expect([exitCode, programs.kept()]).toEqual([4, []]);
    expect(stderr).toMatch(new RegExp(`^error: ${words}\n`));
  });

  test("and restores the entry that it replaced", async () => {
    const programs = storePrograms();
    const first = await login(programs, ["--store", "secret-service"], { stdin: "first-token", service: accept });
    const execute: Programs["execute"] = async (argv, limits) => {
      programs.setMode(argv[1] === "store" ? "cuts off" : "ok");
      const ended = await programs.execute(argv, limits);
      if (limits.lasting) programs.setMode("ok");
      return limits.lasting ? await programs.execute(argv, limits) : ended;
    };
    const { exitCode } = await login(programs, [], { config: first.config, execute });
    expect([exitCode, programs.kept()]).toEqual([4, ["first-token"]]);
  });

  test("and says which item may be left if 1Password prints no ID", async () => {
    const programs = storePrograms();
    programs.setMode("prints no id");
    const { stderr } = await exited(4, failedLogin(programs, ["--store", "op"]));
    expect(stderr).toContain("an item may be left in 1Password: look for relayctl-token");
  });

  test("and stores nothing if the service refuses the token", async () => {
    const programs = storePrograms();
    const refused = new TextEncoder().encode('{"success":false,"data":null,"error":"Unauthorized"}');
    const service = async () => ({ status: 401, headers: {}, body: refused });
    const { exitCode } = await failedLogin(programs, ["--store", "pass"], { service });
    expect([exitCode, programs.kept()]).toEqual([4, []]);
  });

  test("and removes the token from the store if the config cannot be written", async () => {
    const programs = storePrograms();
    const config = configWith({});
    const configStore = {
      read: async () => config,
      change: async (edit: (config: Config) => unknown, failed?: () => Promise<void>) => {
        await edit(config);
        await failed?.();
        throw new RelayctlError("io", "config.json: the disk is full");
      },
    };
    const { exitCode } = await login(programs, ["--store", "pass"], { configStore });
    expect([exitCode, programs.kept()]).toEqual([74, []]);
  });

  test("and removes the token from the store after Ctrl-C, while the entry is read back", async () => {
    const controller = new AbortController();
    const programs = storePrograms({ interrupt: controller.signal });
    const execute: Programs["execute"] = async (argv, limits) => {
      if (argv[1] === "show" && programs.kept().length > 0) controller.abort("interrupted");
      return await programs.execute(argv, limits);
    };
    const { exitCode } = await failedLogin(programs, ["--store", "pass"], { execute, interrupt: controller.signal });
    expect([exitCode, programs.kept()]).toEqual([130, []]);
  });

  test.each([
    ["keychain", "x".repeat(4_090), "token: is too long for the keychain"],
    ["secret-service", "x".repeat(8_193), "token: is too long for the keyring"],
  ])("and passes no token to %s that it would cut off", async (store, stdin, problem) => {
    const programs = storePrograms();
    const { exitCode, stderr } = await failedLogin(programs, ["--store", store], { stdin, service: accept });
    expect([exitCode, programs.kept()]).toEqual([2, []]);
    expect(stderr).toContain(problem);
  });
});

describe("an entry that the context does not use", () => {
  const others = { stdin: "other-token", service: accept };

  test("is replaced only after a confirmation", async () => {
    const programs = storePrograms();
    await login(programs, ["--store", "pass"], others);
    const refused = await login(programs, ["--store", "pass"]);
    expect([refused.exitCode, refused.config, programs.kept()]).toEqual([3, EMPTY, ["other-token"]]);
    expect(refused.stderr).toContain("replacing an entry of another context or program requires confirmation");
    const agreed = await login(programs, ["--store", "pass", "--yes"]);
    expect([agreed.exitCode, programs.kept()]).toEqual([0, [TOKEN]]);
  });

  test("and that is not a token is not replaced at all", async () => {
    const programs = storePrograms();
    await login(programs, ["--store", "pass"], others);
    programs.setMode("prints garbage");
    const { exitCode, stderr, config } = await login(programs, ["--store", "pass", "--yes"]);
    expect([exitCode, config, programs.kept()]).toEqual([6, EMPTY, ["other-token"]]);
    expect(stderr).toContain(
      "relayctl/ci in pass is not a token\n  to replace it, remove it first: pass rm -f -- relayctl/ci",
    );
  });

  test("is asked about before the token is typed", async () => {
    const programs = storePrograms();
    await login(programs, ["--store", "pass"], others);
    const argv = ["auth", "login", "--context", "ci", "--server", LOCAL, "--store", "pass"];
    const world = { terminal: true, config: EMPTY, execute: programs.execute };
    const { exitCode, questions } = await runWith(argv, { ...world, answers: [false] });
    expect([exitCode, questions, programs.kept()]).toEqual([
      3,
      ["Replace the entry relayctl/ci in pass?"],
      ["other-token"],
    ]);
  });
});

test("a token moves from one store to another, and to the config", async () => {
  const programs = storePrograms();
  const first = await login(programs, ["--store", "pass"]);
  const second = await login(programs, ["--store", "vault", "--store-in", "team/kv"], { config: first.config });
  expect(second.stderr).toContain("the earlier token was removed from pass: relayctl/ci");
  const tokenCommand = ["vault", "kv", "get", "-mount=team/kv", "-field=token", "relayctl/ci"];
  expect([second.config.contexts.ci?.token_command, programs.kept()]).toEqual([tokenCommand, [TOKEN]]);
  const third = await login(programs, ["--store", "config"], { config: second.config });
  expect([third.config, programs.kept()]).toEqual([configWith({ token: TOKEN }), []]);
});

test.each([
  [["--store-in", "x"], "--store-in: is for --store op and --store vault"],
  [["--store", "pass", "--store-in", "x"], "--store-in: is for --store op and --store vault"],
  [["--store", "op", "--store-in", " "], "--store-in  : is empty, or contains a control character"],
  [["--store", "kwallet"], "--store kwallet: "],
])("rejects %j before anything is sent", async (flags, problem) => {
  const programs = storePrograms();
  const { exitCode, stderr, requests } = await login(programs, flags);
  expect([exitCode, requests, programs.runs()]).toEqual([2, [], []]);
  expect(stderr).toContain(problem);
});

test("a server with the characters of a shell is passed as it is", async () => {
  const programs = storePrograms();
  const server = "https://a\"b$c'd;e.example";
  const argv = ["auth", "login", "--context", "ci", "--server", server, "--token-file", "-", "--store"];
  for (const store of ["keychain", "secret-service"]) {
    const world = { stdin: TOKEN, config: EMPTY, execute: programs.execute, service: accept };
    const { exitCode, config } = await runWith([...argv, store], world);
    expect([exitCode, config.contexts.ci?.token_command?.some((word) => word.endsWith(server))]).toEqual([0, true]);
  }
});

test("a token_command of the user is neither replaced nor removed", async () => {
  const programs = storePrograms();
  const config = configWith({ token_command: ["pass", "show", "relayctl/ci"] });
  const { exitCode, stderr } = await runWith(["auth", "logout"], { config, execute: programs.execute });
  expect([exitCode, stderr, programs.runs()]).toEqual([
    0,
    "context ci gets its token from a program: relayctl context set ci --no-token-command\n",
    [],
  ]);
});

test("the token in a store is not used for another server", async () => {
  const programs = storePrograms();
  const { config } = await login(programs, ["--store", "pass"]);
  const moved = await runWith(["context", "set", "ci", "--server", "https://new.example"], { config });
  expect(moved.config.contexts.ci).toEqual({ server: "https://new.example" });
  expect(moved.stderr).toContain(
    `the token in pass: relayctl/ci is for ${LOCAL} and is no longer used; sign in again: relayctl auth login --context ci --server https://new.example`,
  );
});

test("a logout changes nothing if the store fails", async () => {
  const programs = storePrograms();
  const { config } = await login(programs, ["--store", "pass"]);
  const execute: Programs["execute"] = async () => ({
    stdout: "",
    stderr: "gpg: locked",
    status: 2,
    problem: "it ended with status 2",
  });
  const ended = await runWith(["auth", "logout"], { config, execute });
  expect([ended.exitCode, ended.config]).toEqual([4, config]);
  expect(ended.stderr).toBe(
    "error: pass did not remove relayctl/ci: it ended with status 2\n  to see why, run: pass rm -f -- relayctl/ci\n  nothing was changed\n  hint: relayctl context set ci --no-token-command\n",
  );
});

test.each(["auth logout", "context delete ci --yes"])(
  "%s says that the store's token is gone if the config cannot be written",
  async (line) => {
    const programs = storePrograms();
    const { config } = await login(programs, ["--store", "pass"]);
    const configStore = {
      read: async () => config,
      change: () => Promise.reject(new RelayctlError("usage", "config.json cannot be written: permission denied")),
    };
    const ended = await runWith(line.split(" "), { config, configStore, execute: programs.execute });
    expect([ended.exitCode, programs.kept()]).toEqual([2, []]);
    expect(ended.stderr).toContain("the token was already removed from pass: relayctl/ci\n");
  },
);
