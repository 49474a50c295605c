import { CONFIG, runWith } from "./stored-world.ts";

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
