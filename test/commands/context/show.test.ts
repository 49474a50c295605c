import type { Config } from "../../../src/config/config.ts";
import { DEFAULT_DEADLINE, DEFAULT_RETRIES, DEFAULT_TIMEOUT } from "../../../src/timing.ts";
import { cli, exited, TOKEN } from "../../helpers/cli.ts";
import { LOCAL, runWith } from "./stored-world.ts";

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
