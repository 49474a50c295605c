import { resolve } from "node:path";
import { type ContextChange, changedContext } from "../../../src/commands/context/change.ts";
import type { Config, Context } from "../../../src/config/config.ts";
import { TOKEN } from "../../helpers/test-app.ts";
import { CONFIG, EMPTY, runWith } from "./stored-world.ts";

const PROD = CONFIG.contexts.prod;

test.each<[string[], object]>([
  [["--protected"], PROD ?? {}],
  [["--ca-file", "ca.pem"], { ...PROD, ca_file: resolve("ca.pem") }],
  [["--allow-http"], { ...PROD, allow_http: true }],
  [["--require-reason"], { ...PROD, require_reason: true }],
  [["--require-journal"], { ...PROD, journal: "required" }],
  [["--no-require-reason", "--no-require-journal"], PROD ?? {}],
  [["--read-only"], { ...PROD, read_only: true }],
  [["--server", "https://prod.example/api/v1/"], PROD ?? {}],
])("changes a context by %j", async (flags, expected) => {
  const { exitCode, stdout, stderr, config } = await runWith(["context", "set", "prod", ...flags]);
  expect([exitCode, stdout, stderr]).toEqual([0, "", "changed context prod\n"]);
  expect(config).toEqual({ ...CONFIG, contexts: { ...CONFIG.contexts, prod: expected } });
});

test.each<[string[], object]>([
  [["--no-token-command"], { server: "http://127.0.0.1:8080", ca_file: "/ca.pem" }],
  [
    ["--no-ca-file", "--no-allow-http"],
    { server: "http://127.0.0.1:8080", token_command: ["pass", "dev"], allow_http: false },
  ],
])("removes a setting by %j", async (flags, expected) => {
  const { config } = await runWith(["context", "set", "dev", ...flags]);
  expect(config.contexts.dev).toEqual(expected);
});

describe("a token command", () => {
  test.each<[string[], string[]]>([
    [
      ["--token-command", '["op","read","op://ops/prod token"]'],
      ["op", "read", "op://ops/prod token"],
    ],
    [
      ["--token-command", "pass", "--token-command", "prod token"],
      ["pass", "prod token"],
    ],
    [["--token-command", "/usr/bin/token"], ["/usr/bin/token"]],
  ])("%j replaces the token", async (flags, argv) => {
    const { config } = await runWith(["context", "set", "prod", ...flags]);
    expect(config.contexts.prod).toEqual({ server: "https://prod.example", protected: true, token_command: argv });
  });

  test.each([["op read prod"], ["[]"], ["[1]"], ['[""]'], ['["op",'], ['["op",1]'], [""]])(
    "%j is rejected",
    async (text) => {
      const { exitCode, stderr, config } = await runWith(["context", "set", "prod", "--token-command", text]);
      expect([exitCode, config]).toEqual([2, CONFIG]);
      expect(stderr).toContain("--token-command");
    },
  );
});

describe("a protected context", () => {
  const OPEN = { ...CONFIG, contexts: { ...CONFIG.contexts, prod: { ...PROD, protected: false } } };
  const MOVED = { ...CONFIG.contexts, prod: { server: "https://new.example", protected: true } };

  test.each([
    [["--no-protected"], "removing a protection"],
    [["--no-protected", "--token-command", "pass"], "removing a protection"],
    [["--no-protected", "--server", "https://new.example"], "removing a protection"],
    [["--server", "https://new.example"], "moving a protected context"],
    [["--server", "https://prod.example:8443", "--protected"], "moving a protected context"],
  ])("requires confirmation for %j", async (flags, act) => {
    const line = ["context", "set", "prod", ...flags];
    const { exitCode, stderr, config } = await runWith(line);
    expect([exitCode, config]).toEqual([3, CONFIG]);
    expect(stderr).toContain(`${act} requires confirmation`);
    expect(stderr.trimEnd().endsWith(" --yes")).toBe(true);
    const refused = await runWith(line, { terminal: true, answers: [false] });
    expect([refused.exitCode, refused.config, refused.questions.length]).toEqual([3, CONFIG, 1]);
  });

  test("is changed after confirmation or with --yes", async () => {
    const asked = await runWith(["context", "set", "prod", "--no-protected"], { terminal: true, answers: [true] });
    expect(asked.questions).toEqual(["Remove the protection of context prod (https://prod.example)?"]);
    expect(asked.config).toEqual(OPEN);
    expect((await runWith(["context", "set", "prod", "--no-protected", "--yes"])).config).toEqual(OPEN);
    const flags = ["--server", "https://new.example"];
    const moved = await runWith(["context", "set", "prod", ...flags], { terminal: true, answers: [true] });
    expect(moved.questions).toEqual([
      "Move protected context prod from https://prod.example to https://new.example and forget its token?",
    ]);
    expect(moved.config.contexts).toEqual(MOVED);
  });

  describe("with rules for its writes", () => {
    const prod: Context = { server: "https://prod.example", token: TOKEN, protected: true };
    const STRICT: Config = {
      ...CONFIG,
      contexts: { ...CONFIG.contexts, prod: { ...prod, require_reason: true, journal: "required" } },
    };

    test.each([
      ["--no-require-reason", "Stop requiring a reason for each write in protected context prod?", "require_reason"],
      ["--no-require-journal", "Stop requiring the journal for each write in protected context prod?", "journal"],
    ])("requires confirmation for %s", async (flag, question, field) => {
      const line = ["context", "set", "prod", flag];
      const { exitCode, stderr, config } = await runWith(line, { config: STRICT });
      expect([exitCode, config]).toEqual([3, STRICT]);
      expect(stderr).toContain("loosening a protected context requires confirmation");
      const asked = await runWith(line, { config: STRICT, terminal: true, answers: [true] });
      expect(asked.questions).toEqual([question]);
      expect(asked.config.contexts.prod).not.toHaveProperty(field);
      expect((await runWith([...line, "--yes"], { config: STRICT })).config).toEqual(asked.config);
    });

    test("asks one question for the protection itself, and one for each rule", async () => {
      const both = ["context", "set", "prod", "--no-require-reason", "--no-require-journal"];
      const asked = await runWith(both, { config: STRICT, terminal: true, answers: [true, true] });
      expect(asked.questions).toHaveLength(2);
      const open = await runWith([...both, "--no-protected"], { config: STRICT, terminal: true, answers: [true] });
      expect(open.questions).toEqual(["Remove the protection of context prod (https://prod.example)?"]);
    });

    test("keeps them through other changes", async () => {
      const { config } = await runWith(["context", "set", "prod", "--allow-http"], { config: STRICT });
      expect(config.contexts.prod).toMatchObject({ require_reason: true, journal: "required" });
    });
  });

  test("requires confirmation to allow writes in a read-only context", async () => {
    const line = ["context", "set", "dev", "--no-read-only"];
    const config: Config = {
      ...CONFIG,
      contexts: { ...CONFIG.contexts, dev: { server: "http://127.0.0.1:1", read_only: true } },
    };
    expect(await runWith(line, { config })).toMatchObject({ exitCode: 3, config });
    const asked = await runWith(line, { config, terminal: true, answers: [true] });
    expect(asked.questions).toEqual(["Allow writes in read-only context dev (http://127.0.0.1:1)?"]);
    expect(asked.config.contexts.dev).toEqual({ server: "http://127.0.0.1:1" });
  });

  test("needs no confirmation if it is not protected", async () => {
    for (const flags of [["--no-protected"], ["--server", "https://new.example"]])
      expect(await runWith(["context", "set", "dev", ...flags])).toMatchObject({ exitCode: 0, questions: [] });
  });

  test("reports an invalid change before the confirmation", async () => {
    const { exitCode, questions } = await runWith(
      ["context", "set", "prod", "--no-protected", "--server", "http://x.example"],
      { terminal: true },
    );
    expect([exitCode, questions]).toEqual([2, []]);
  });
});

test("removes the token of a moved context, with a note", async () => {
  const { stderr, config } = await runWith(["context", "set", "prod", "--server", "https://new.example", "--yes"]);
  expect(config.contexts.prod).toEqual({ server: "https://new.example", protected: true });
  expect(stderr).toBe(
    "changed context prod\nthe token was for https://prod.example and was removed; sign in again: relayctl auth login --context prod --server https://new.example\n",
  );
});

test("creates a context if there is a server", async () => {
  const { stderr, config } = await runWith(["context", "set", "ci", "--server", "https://ci.example"], {
    config: EMPTY,
  });
  expect(config).toEqual({ version: 1, contexts: { ci: { server: "https://ci.example" } } });
  expect(stderr).toBe("created context ci\nto sign in: relayctl auth login --context ci --server https://ci.example\n");
});

test("exits with 5 for an unknown context without a server", async () =>
  expect(await runWith(["context", "set", "ci", "--protected"])).toMatchObject({ exitCode: 5, config: CONFIG }));

test.each<[string[], string]>([
  [["prod"], "nothing to change"],
  [["prod", "--server", "ftp://x"], "--server: must begin with https:// or http://"],
  [["prod", "--server", "http://x.example"], "--server http://x.example: plain HTTP would expose the token"],
  [["prod", "--ca-file", ""], "--ca-file: is empty; --no-ca-file removes it"],
  [["prod", "--ca-file", "x", "--no-ca-file"], "cannot be combined"],
  [["prod", "--allow-http", "--no-allow-http"], "cannot be combined"],
  [["prod", "--protected", "--no-protected"], "cannot be combined"],
  [["a b", "--protected"], "<name> a b: a context's name has"],
  [["__proto__", "--server", "https://x.example"], "a context's name has"],
  [["prod", "--protected", "--dry-run"], "--dry-run: not supported"],
])("rejects %j", async (argv, message) => {
  const { exitCode, stderr, config } = await runWith(["context", "set", ...argv]);
  expect([exitCode, config]).toEqual([2, CONFIG]);
  expect(stderr).toContain(message);
});

describe("a node", () => {
  const URL_WITH_KEY = "https://rpc.example.org/v3/0123456789abcdef0123";

  test("is kept, and printed without its key", async () => {
    const { stderr, config } = await runWith(["context", "set", "prod", "--node", `mainnet=${URL_WITH_KEY}`]);
    expect(config.contexts.prod).toEqual({ ...PROD, nodes: { mainnet: URL_WITH_KEY } });
    expect(stderr).toBe("changed context prod\nnode of mainnet: https://rpc.example.org/***\n");
  });

  test("is read from stdin for a key that must not be in the arguments", async () => {
    const line = ["context", "set", "prod", "--node", "base=-"];
    const { config } = await runWith(line, { stdin: `${URL_WITH_KEY}\n` });
    expect(config.contexts.prod?.nodes).toEqual({ base: URL_WITH_KEY });
  });

  test("replaces the one of the same network, and keeps the others", async () => {
    const nodes = { mainnet: "http://127.0.0.1:1/", base: "http://127.0.0.1:2/" };
    const stored = { ...CONFIG, contexts: { prod: { server: "https://prod.example", nodes } } };
    const set = ["context", "set", "prod", "--node", "base=http://127.0.0.1:3", "--unset-node", "mainnet"];
    const { config, stderr } = await runWith(set, { config: stored });
    expect(config.contexts.prod?.nodes).toEqual({ base: "http://127.0.0.1:3/" });
    expect(stderr).toContain("removed the node of mainnet\n");
    const last = await runWith(["context", "set", "prod", "--unset-node", "base"], { config });
    expect(last.config.contexts.prod).toEqual({ server: "https://prod.example" });
  });

  test.each([
    [["--node", URL_WITH_KEY], "must be the name of a network"],
    [["--node", "=http://127.0.0.1:1"], "must be the name of a network"],
    [["--node", "mainnet=0123456789abcdef0123"], "--node mainnet: must begin with https:// or http://"],
    [["--node", "a=http://127.0.0.1:1", "--node", "a=http://127.0.0.1:2"], "network a is specified twice"],
    [["--node", "a=http://127.0.0.1:1", "--unset-node", "a"], "network a is specified twice"],
    [["--unset-node", ""], "--unset-node: must be the name of a network"],
  ])("of %j is rejected, and nothing of it is printed", async (flags, words) => {
    const { exitCode, stderr, config } = await runWith(["context", "set", "prod", ...flags]);
    expect([exitCode, config]).toEqual([2, CONFIG]);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("0123456789abcdef");
  });
});

const BEFORE: Context = {
  server: "http://one.example",
  token: "t",
  protected: true,
  ca_file: "/ca.pem",
  allow_http: true,
};

test.each<[string, ContextChange, Partial<Context>, (keyof Context)[]]>([
  ["nothing", {}, {}, []],
  ["the same server", { server: "http://one.example" }, {}, []],
  [
    "another server, without what was trusted for the old one",
    { server: "https://two.example" },
    { server: "https://two.example" },
    ["token", "allow_http"],
  ],
  [
    "another server, with plain HTTP allowed again",
    { server: "http://two.example", allow_http: true },
    { server: "http://two.example" },
    ["token"],
  ],
  ["a token command, which replaces the token", { token_command: ["pass"] }, { token_command: ["pass"] }, ["token"]],
  ["no token command, with none before", { token_command: null }, {}, []],
  ["no protection", { protected: false }, { protected: false }, []],
  ["no certificates", { ca_file: null }, {}, ["ca_file"]],
  ["other certificates", { ca_file: "/b.pem" }, { ca_file: "/b.pem" }, []],
  ["no plain HTTP", { allow_http: false }, { allow_http: false }, []],
])("a context changed by %s", (_, change, more, gone) => {
  const expected: Context = { ...BEFORE, ...more };
  for (const key of gone) delete expected[key as "token"];
  expect(changedContext(BEFORE, change)).toEqual(expected);
});

test("removes a token command on request, but not with a new server", () => {
  const before: Context = { server: "https://one.example", token_command: ["pass"] };
  expect(changedContext(before, { token_command: null })).toEqual({ server: "https://one.example" });
  expect(changedContext(before, { server: "https://two.example" })).toEqual({
    server: "https://two.example",
    token_command: ["pass"],
  });
});

test("treats an unreadable server as another server", () => {
  const before: Context = { server: "https://me:pw@one.example", token: "t" };
  expect(changedContext(before, { server: "https://one.example" })).toEqual({ server: "https://one.example" });
});

describe("limits", () => {
  const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
  const OTHER = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

  function configWith(more: Partial<Context> = {}): Config {
    return { version: 1, contexts: { prod: { server: "https://prod.example", token: TOKEN, ...more } } };
  }

  async function limitsAfter(flags: readonly string[], before: Partial<Context> = {}): Promise<Context | undefined> {
    const ran = await runWith(["context", "set", "prod", ...flags], { config: configWith(before) });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    return ran.config.contexts.prod;
  }

  test.each<[string, object]>([
    ["1eth", { eth: "1000000000000000000" }],
    ["1.000000000000000001ether", { eth: "1000000000000000001" }],
    ["500gwei", { wei: "500000000000" }],
    ["2pol", { pol: "2000000000000000000" }],
    ["0.5sol", { sol: "500000000" }],
    ["100xlm", { xlm: "1000000000" }],
    ["5stroops", { xlm: "5" }],
    ["1eth,2pol", { eth: "1000000000000000000", pol: "2000000000000000000" }],
  ])("stores the limit %s exactly", async (text, expected) => {
    expect(await limitsAfter(["--max-value", text])).toMatchObject({ max_value: expected });
    expect(await limitsAfter(["--max-per-day", text])).toMatchObject({ max_per_day: expected });
  });

  test.each([["1"], ["0x10"], ["eth"], ["-1eth"], ["1.5wei"], ["1e18"], [""], ["1eth,1ether"], ["many"]])(
    "rejects the limit %j",
    async (text) => {
      const ran = await runWith(["context", "set", "prod", `--max-value=${text}`], { config: configWith() });
      expect([ran.exitCode, ran.config]).toEqual([2, configWith()]);
      expect(ran.stderr).toContain("--max-value");
    },
  );

  test.each([["@treasury"], ["0x12"], ["0x3C44cdddb6a900fa2b585dd299e03d12fa4293bc"], ["a b"], [""]])(
    "rejects the receiver %j",
    async (text) => {
      const ran = await runWith(["context", "set", "prod", `--allow-to=${text}`], { config: configWith() });
      expect([ran.exitCode, ran.config]).toEqual([2, configWith()]);
      expect(ran.stderr).toContain("--allow-to");
    },
  );

  test("keeps the limits of other coins, and replaces the list of receivers", async () => {
    const before = { max_value: { eth: "5", xlm: "7" }, allow_to: [TO] };
    const after = await limitsAfter(["--max-value", "6wei", "--max-value", "1stroop", "--allow-to", OTHER], before);
    expect(after).toMatchObject({ max_value: { eth: "5", xlm: "1", wei: "6" }, allow_to: [OTHER] });
  });

  test("removes limits", async () => {
    const before = { max_value: { eth: "5" }, max_per_day: { eth: "7" }, allow_to: [TO] };
    const after = await limitsAfter(["--no-max-value", "--no-max-per-day", "--no-allow-to"], before);
    expect(after).toEqual({ server: "https://prod.example", token: TOKEN });
  });

  describe("a protected context", () => {
    const before = { protected: true, max_value: { eth: "5" }, max_per_day: { eth: "7" }, allow_to: [TO] };

    test.each([
      [["--max-value", "6wei", "--max-per-day", "7wei"], []],
      [["--allow-to", TO.toUpperCase().replace("0X", "0x")], []],
    ])("keeps its limits with %j without a question", async (flags, questions) => {
      const ran = await runWith(["context", "set", "prod", ...flags], { config: configWith(before), terminal: true });
      expect(ran).toMatchObject({ exitCode: 0, questions });
    });

    test.each([
      [["--no-max-value"], "max value 0.000000000000000005 ETH → no limit"],
      [["--max-per-day", "0.000000000000000008eth"], "max per day 0.000000000000000007 ETH → 0.000000000000000008 ETH"],
      [["--allow-to", `${TO},${OTHER}`], `receivers ${OTHER}`],
      [["--no-allow-to"], "any receiver"],
    ])("asks before %j loosens its limits", async (flags, words) => {
      const line = ["context", "set", "prod", ...flags];
      const asked = await runWith(line, { config: configWith(before), terminal: true, answers: [true] });
      expect(asked.questions).toEqual([`Loosen the limits of protected context prod: ${words}?`]);
      expect(asked.config).not.toEqual(configWith(before));
      const refused = await runWith(line, { config: configWith(before) });
      expect([refused.exitCode, refused.config]).toEqual([3, configWith(before)]);
    });

    test("asks before a receiver of Solana in another case replaces one: it is another address", async () => {
      const [address, other] = [
        "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
        "9wzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
      ];
      const config = configWith({ ...before, allow_to: [address] });
      const line = ["context", "set", "prod", "--allow-to", other];
      const asked = await runWith(line, { config, terminal: true, answers: [false] });
      expect(asked.questions).toEqual([`Loosen the limits of protected context prod: receivers ${other}?`]);
    });
  });

  test("context show and context list print the limits", async () => {
    const config = configWith({ max_value: { eth: "1500000000000000000", xlm: "5" }, allow_to: [TO, OTHER] });
    const world = { config, terminal: true, env: { NO_COLOR: "1" } };
    const { stdout } = await runWith(["context", "show", "prod"], world);
    expect(stdout).toContain("max value     1.5 ETH, 0.0000005 XLM\n");
    expect(stdout).toContain(`receivers     ${TO}\n`);
    const shown = await runWith(["context", "show", "prod", "-o", "json"], { config });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      max_value: { eth: "1500000000000000000", xlm: "5" },
      max_per_day: null,
      allow_to: [TO, OTHER],
    });
    const listed = await runWith(["context", "list", "-o", "json"], { config });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "prod", allow_to: [TO, OTHER], max_per_day: null }]);
  });
});
