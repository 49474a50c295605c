import { CONFIG, EMPTY, runWith } from "../context/stored-world.ts";

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
