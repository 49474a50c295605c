import type { Config, Context } from "../../../src/config/config.ts";
import { DEFAULT_DEADLINE, DEFAULT_RETRIES, DEFAULT_TIMEOUT } from "../../../src/timing.ts";
import { cli, exited, TOKEN } from "../../helpers/cli.ts";
import { CONFIG, EMPTY, LOCAL, runWith } from "./stored-world.ts";

describe("context list", () => {
  test("lists the contexts by name, without their tokens", async () => {
    const { exitCode, stdout } = await runWith(["context", "list", "-o", "json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        name: "dev",
        current: false,
        server: "http://127.0.0.1:8080",
        token: "command",
        token_command: ["pass", "dev"],
        protected: false,
        ca_file: "/ca.pem",
        allow_http: false,
        require_reason: false,
        journal: null,
        max_value: null,
        max_per_day: null,
        allow_to: null,
        headers: "none",
        read_only: false,
        approvers: null,
        approvals: null,
        erc20: null,
      },
      {
        name: "prod",
        current: true,
        server: "https://prod.example",
        token: "stored",
        token_command: null,
        protected: true,
        ca_file: null,
        allow_http: false,
        require_reason: false,
        journal: null,
        max_value: null,
        max_per_day: null,
        allow_to: null,
        headers: "none",
        read_only: false,
        approvers: null,
        approvals: null,
        erc20: null,
      },
    ]);
  });

  test("prints a table on a terminal", async () => {
    const { stdout } = await runWith(["context", "list"], { terminal: true });
    expect(stdout).toMatchInlineSnapshot(`
    "[2mNAME[22m  [2mCURRENT[22m  [2mSERVER[22m                 [2mTOKEN[22m    [2mWRITES[22m
    dev   [2m–[22m        http://127.0.0.1:8080  command  [2m–[22m
    prod  current  https://prod.example   stored   protected
    "
  `);
  });

  test.each([
    [{ protected: true, read_only: true }, "read-only, protected"],
    [{ protected: true, approvers: { signers: [], needed: 2 } }, "protected, signed"],
  ])("shows what writes to a context with %o need", async (rules, words) => {
    const prod = { server: "https://prod.example", ...rules } as Context;
    const config = { version: 1 as const, contexts: { prod } };
    const { stdout } = await runWith(["context", "list"], { config, terminal: true });
    expect(stdout.trimEnd().endsWith(words)).toBe(true);
  });

  test("selects fields, and suggests none for an unknown field", async () => {
    expect((await runWith(["context", "list", "--fields", "name,token"])).stdout).toBe("dev\tcommand\nprod\tstored\n");
    expect((await runWith(["context", "list", "-o", "name"])).stdout).toBe("dev\nprod\n");
    const { exitCode, stderr } = await runWith(["context", "list", "--fields", "tokn"]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--fields tokn")]);
  });

  test("shows the searched file if there is no context", async () => {
    const { stdout, stderr } = await runWith(["context", "list"], { config: EMPTY });
    expect([stdout, stderr]).toEqual(["", "no contexts in config.json\n"]);
  });

  test.each(["--demo", "--dry-run", "--curl"])("rejects %s", async (flag) => {
    const { exitCode, stderr } = await runWith(["context", "list", flag]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${flag}: not supported: this command `)]);
  });
});

describe("context show", () => {
  test("shows each setting of the current context with its source", async () => {
    const { stdout, requests } = await exited(0, runWith(["context", "show"], { terminal: true }));
    expect(stdout).toMatchInlineSnapshot(`
    "[2mcontext[22m       prod                   from config.json
    [2mserver[22m        https://prod.example   from context prod
    [2mtoken[22m         set, not shown         from context prod, bound to this server
    [2mprotected[22m     yes
    [2mplain http[22m    to this machine only   from default
    [2mproxy[22m         none
    [2mtimeout[22m       ${`${DEFAULT_TIMEOUT / 1_000}s`.padEnd(23)}from default
    [2mdeadline[22m      ${`${DEFAULT_DEADLINE / 1_000}s`.padEnd(23)}from default
    [2mretries[22m       ${String(DEFAULT_RETRIES).padEnd(23)}from default
    "
  `);
    expect(requests).toEqual([]);
  });

  test("shows the rules for writes", async () => {
    const config: Config = {
      version: 1,
      contexts: { prod: { server: LOCAL, token: TOKEN, require_reason: true, journal: "required" } },
    };
    const { stdout } = await runWith(["context", "show", "prod"], { config, terminal: true, env: { NO_COLOR: "1" } });
    expect(stdout).toContain("reason        required for each write");
    expect(stdout).toContain("journal       required for each write");
    const data = await runWith(["context", "show", "prod", "-o", "json"], { config });
    expect(JSON.parse(data.stdout)).toMatchObject({ require_reason: true, journal: "required" });
  });

  test("prefers a given context over variables", async () => {
    const env = { RELAYCTL_SERVER: "https://env.example", RELAYCTL_TOKEN: TOKEN, RELAYCTL_TIMEOUT: "5s" };
    const { stdout, stderr } = await runWith(["context", "show", "dev", "-o", "json"], { env });
    expect(JSON.parse(stdout)).toEqual({
      context: "dev",
      context_from: "--context",
      server: LOCAL,
      server_from: "context dev",
      token: "command",
      token_from: "context dev",
      token_bound_to: LOCAL,
      protected: false,
      require_reason: false,
      read_only: false,
      approvers: null,
      approvals: null,
      journal: null,
      max_value: null,
      max_per_day: null,
      allow_to: null,
      allow_http: false,
      allow_http_from: "default",
      ca_files: ["/ca.pem"],
      ca_files_from: ["context dev"],
      proxy: null,
      proxy_from: null,
      timeout_ms: 5000,
      timeout_from: "RELAYCTL_TIMEOUT",
      deadline_ms: DEFAULT_DEADLINE,
      deadline_from: "default",
      retries: DEFAULT_RETRIES,
      retries_from: "default",
      token_store: null,
    });
    expect(stderr).toContain("note: RELAYCTL_SERVER is ignored because --context is set");
  });

  test("reports a token for another server", async () => {
    const { stdout } = await runWith(["context", "show", "--server", "https://other.example"], { terminal: true });
    expect(stdout).toContain("from context prod, bound to https://prod.example");
  });

  test("shows a proxy without its password", async () => {
    const { stdout } = await runWith([
      "context",
      "show",
      "-o",
      "json",
      "--proxy",
      "http://me:hunter2@proxy.example:3128",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ proxy: "http://proxy.example:3128", proxy_from: "--proxy" });
    expect(stdout).not.toContain("hunter2");
  });

  test("exits with 5 for an unknown context", async () => {
    const { stderr } = await exited(5, runWith(["context", "show", "staging"]));
    expect(stderr).toContain('unknown context "staging"');
    expect(stderr).toContain("known contexts: dev, prod");
  });

  test("rejects two names", async () =>
    expect((await runWith(["context", "show", "dev", "--context", "prod"])).exitCode).toBe(2));

  test("shows the nodes of the context and of variables, masked", async () => {
    const contexts = {
      prod: { server: LOCAL, token: TOKEN, nodes: { mainnet: "https://rpc.example/0123456789abcdef" } },
    };
    const env = { RELAYCTL_NODE_BASE: "https://base.example/0123456789abcdef" };
    const world = { env, config: { version: 1 as const, current: "prod", contexts } };
    const shown = await cli("context show --color never", { ...world, terminal: true });
    expect(shown.stdout).toMatch(/^node of base +https:\/\/base\.example\/\*\*\* +from RELAYCTL_NODE_BASE$/m);
    expect(shown.stdout).toMatch(/^node of mainnet +https:\/\/rpc\.example\/\*\*\* +from the context$/m);
    expect(JSON.parse((await cli("context show -o json", world)).stdout).nodes).toEqual([
      { network: "base", url: "https://base.example/***", from: "RELAYCTL_NODE_BASE" },
      { network: "mainnet", url: "https://rpc.example/***", from: "the context" },
    ]);
  });
});

describe("context use", () => {
  test("selects the current context", async () => {
    const { exitCode, stdout, stderr, config } = await runWith(["context", "use", "dev"]);
    expect([exitCode, stdout, stderr]).toEqual([0, "", "the current context is dev\n"]);
    expect(config).toEqual({ ...CONFIG, current: "dev" });
  });

  test("reports a variable that overrides the selection", async () => {
    const { stderr } = await runWith(["context", "use", "dev"], { env: { RELAYCTL_CONTEXT: "prod" } });
    expect(stderr).toContain("note: RELAYCTL_CONTEXT is set and selects prod instead");
  });

  test("changes nothing for an unknown context", async () => {
    const { exitCode, config } = await runWith(["context", "use", "staging"]);
    expect(exitCode).toBe(5);
    expect(config).toEqual(CONFIG);
  });
});

describe("context delete", () => {
  test("deletes a context with --yes", async () => {
    const { exitCode, stdout, stderr, config } = await runWith(["context", "delete", "dev", "--yes"]);
    expect([exitCode, stdout, stderr]).toEqual([0, "", "deleted context dev\n"]);
    expect(config).toEqual({ version: 1, current: "prod", contexts: { prod: CONFIG.contexts.prod } });
  });

  test("unsets the current context if that context is deleted", async () => {
    const { config } = await runWith(["context", "delete", "prod", "--yes"]);
    expect(config).toEqual({ version: 1, contexts: { dev: CONFIG.contexts.dev } });
  });

  test("asks on a terminal", async () => {
    const yes = await runWith(["context", "delete", "dev"], { terminal: true, answers: [true] });
    expect(yes.questions).toEqual(["Delete context dev (http://127.0.0.1:8080) and its token?"]);
    expect(Object.keys(yes.config.contexts)).toEqual(["prod"]);
    const no = await runWith(["context", "delete", "dev"], { terminal: true, answers: [false] });
    expect([no.exitCode, no.config]).toEqual([3, CONFIG]);
  });

  test("requires --yes without a terminal", async () => {
    const { exitCode, stderr, config } = await runWith(["context", "delete", "dev"]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("deleting a context requires confirmation");
    expect(stderr).toContain("hint: relayctl context delete dev --yes");
    expect(config).toEqual(CONFIG);
  });

  test("reports an unknown context before the question", async () => {
    const { exitCode, questions } = await runWith(["context", "delete", "staging"], { terminal: true });
    expect([exitCode, questions]).toEqual([5, []]);
  });
});
