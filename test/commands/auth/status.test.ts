import type { Config } from "../../../src/config/config.ts";
import { exited, exitedSaying } from "../../helpers/exited.ts";
import { SERVER, TOKEN } from "../../helpers/test-app.ts";
import { CONFIG, EMPTY, LOCAL, runWith } from "../context/stored-world.ts";

describe("auth status", () => {
  const STORED: Config = { version: 1, current: "default", contexts: { default: { server: LOCAL, token: TOKEN } } };

  test("shows the source of each setting, and that the token works", async () => {
    const { stdout, requests } = await exited(0, runWith(["auth", "status"], { terminal: true, config: STORED }));
    expect(stdout).toMatchInlineSnapshot(`
    "[2mcontext[22m          default                 from config.json
    [2mserver[22m           http://127.0.0.1:8080   from context default
    [2mtoken[22m            set, not shown          from context default, bound to this server
    [2mchecked[22m          ok, 0 ms
    [2mrelayers[22m         may be read
    [2mtransactions[22m     may be read
    [2mnotifications[22m    may be read
    [2msigners[22m          may be read
    [2mnetworks[22m         may be read
    [2mplugins[22m          may be read
    "
  `);
    expect(requests.map(({ method }) => method)).toEqual(Array(6).fill("GET"));
  });

  test("prints an object for a script", async () => {
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
    const { stdout } = await runWith(["auth", "status", "-o", "json"], { env });
    expect(JSON.parse(stdout)).toEqual({
      context: null,
      context_from: null,
      server: SERVER,
      server_from: "RELAYCTL_SERVER",
      token: "variable",
      token_from: "RELAYCTL_TOKEN",
      token_bound_to: null,
      checked: "ok",
      relayers: 8,
      token_store: null,
      token_expires_at: null,
      routes: ["relayers", "transactions", "notifications", "signers", "networks", "plugins"].map((group) => ({
        group,
        readable: true,
        message: null,
      })),
    });
  });

  test("shows known settings along with an error", async () => {
    const { exitCode, stdout, stderr, requests } = await runWith(
      ["auth", "status", "--server", "https://other.example"],
      { config: STORED },
    );
    expect([exitCode, stdout, requests]).toEqual([4, "", []]);
    expect(stderr).toMatchInlineSnapshot(`
    "context   default  from config.json
    server    https://other.example  from --server
    token     set, not shown  from context default, bound to http://127.0.0.1:8080
    error: the token of context default is for http://127.0.0.1:8080, not for https://other.example; nothing was sent
      hint: relayctl auth login --context NAME --server https://other.example
    "
  `);
  });

  test("suggests how to configure a server if there is none", () =>
    exitedSaying(2, runWith(["auth", "status"], { config: EMPTY }), "hint: relayctl auth login"));

  test("rejects --demo", async () => expect((await runWith(["auth", "status", "--demo"])).exitCode).toBe(2));
});

describe("auth logout", () => {
  test("removes the token of the current context and keeps the rest", async () => {
    const { exitCode, stdout, stderr, config } = await runWith(["auth", "logout"]);
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toBe("signed out of context prod: the token was removed from this machine, but is still valid\n");
    const prod = { server: "https://prod.example", protected: true };
    expect(config).toEqual({ ...CONFIG, contexts: { ...CONFIG.contexts, prod } });
  });

  test.each([
    [["--context", "prod"], { RELAYCTL_CONTEXT: "dev" }],
    [[], { RELAYCTL_CONTEXT: "prod" }],
  ])("removes the token of the selected context: %j %j", async (flags, env) => {
    const config = { ...CONFIG, current: "dev" };
    expect((await runWith(["auth", "logout", ...flags], { env, config })).config.contexts.prod).not.toHaveProperty(
      "token",
    );
  });

  test("keeps a token command, and reports it", async () => {
    const { exitCode, stderr, config } = await runWith(["auth", "logout", "--context", "dev"]);
    expect([exitCode, config]).toEqual([0, CONFIG]);
    expect(stderr).toBe("context dev gets its token from a program: relayctl context set dev --no-token-command\n");
  });

  test("changes nothing the second time", async () => {
    const first = await runWith(["auth", "logout"]);
    const { exitCode, stderr } = await runWith(["auth", "logout"], { config: first.config });
    expect([exitCode, stderr]).toEqual([0, "context prod has no token; nothing was changed\n"]);
  });

  test.each([
    [["auth", "logout"], EMPTY, 5],
    [["auth", "logout", "--context", "staging"], CONFIG, 5],
    [["auth", "logout", "--demo"], CONFIG, 2],
  ])("%j changes nothing without the context", async (argv, config, exitCode) => {
    expect(await runWith(argv, { config })).toMatchObject({ exitCode, config });
  });
});

describe("auth token", () => {
  test("prints only the token", async () =>
    expect(await runWith(["auth", "token"])).toMatchObject({
      exitCode: 0,
      stdout: `${TOKEN}\n`,
      stderr: "",
      requests: [],
    }));

  test("prints the token of the variable if commands would use it", async () => {
    const env = { RELAYCTL_SERVER: "https://x.example", RELAYCTL_TOKEN: "variable-token" };
    expect((await runWith(["auth", "token"], { env })).stdout).toBe("variable-token\n");
  });

  test("runs the context's program", async () =>
    expect((await runWith(["auth", "token", "--context", "dev"])).stdout).toBe(`${TOKEN}\n`));

  test("does not print the token for another server", async () => {
    const { exitCode, stdout, stderr } = await runWith(["auth", "token", "--server", "https://other.example"]);
    expect([exitCode, stdout]).toEqual([4, ""]);
    expect(stderr).not.toContain(TOKEN);
  });

  test("exits with 4 if there is no token", async () => {
    const config = { ...EMPTY, current: "bare", contexts: { bare: { server: "https://x.example" } } };
    await exitedSaying(4, runWith(["auth", "token"], { config }), "hint: relayctl auth login --context bare");
  });

  test("rejects --demo", async () =>
    expect(await runWith(["auth", "token", "--demo"])).toMatchObject({ exitCode: 2, stdout: "", config: CONFIG }));
});
