import { exitedSaying } from "../../helpers/exited.ts";
import { TOKEN } from "../../helpers/test-app.ts";
import { CONFIG, EMPTY, runWith } from "../context/stored-world.ts";

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
