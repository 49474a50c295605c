import { CONFIG, runWith } from "./stored-world.ts";

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
