import { join } from "node:path";
import { expect, test } from "vitest";
import { createConfigStore } from "../../../src/config/store.ts";
import { realSurroundings } from "../../config/surroundings.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import type { World } from "../../helpers/test-app.ts";
import { LOCAL, runWith } from "../context/stored-world.ts";
import { installPrograms, type Programs, storePrograms } from "./store-programs.ts";

installPrograms();

const OTHER = "http://127.0.0.1:8081";

const accept: NonNullable<World["service"]> = async () => ({
  status: 200,
  headers: {},
  body: new TextEncoder().encode('{"success":true,"data":[],"error":null}'),
});

/** Logs in as two processes with one config and one store do; each store program takes a moment. */
function processes(programs: Programs) {
  const folder = join(temporaryFolder(), "relayctl");
  const note = async () => {};
  const configStore = createConfigStore({
    ...{ folder: () => folder, user: process.getuid?.(), note },
    surroundings: realSurroundings(),
  });
  const execute: World["execute"] = async (...run) => {
    await new Promise((resolve) => setImmediate(resolve));
    return await programs.execute(...run);
  };
  const run = async (argv: readonly string[], stdin = "") =>
    await runWith(argv, { stdin, configStore, execute, service: accept });
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
    const world = processes(storePrograms());
    const [one, other] = ["token-of-the-first-login", "token-of-the-second-login"];
    const ended = await Promise.all([world.login(LOCAL, one), world.login(second, other)]);
    expect(ended.map(({ exitCode }) => exitCode).sort(), ended.map(({ stderr }) => stderr).join()).toEqual([0, 6]);
    const isFirst = ended[0].exitCode === 0;
    expect([await world.token(), await world.server()]).toEqual(isFirst ? [one, LOCAL] : [other, second]);
    expect(ended[isFirst ? 1 : 0].stderr).toContain("another login changed context ci meanwhile; nothing was stored");
  },
);

test("two further logins at once leave the token of the last one", async () => {
  const world = processes(storePrograms());
  expect((await world.login(LOCAL, "token-of-the-first-login")).exitCode).toBe(0);
  const tokens = ["token-of-the-second-login", "token-of-the-third-login"];
  const ended = await Promise.all(tokens.map((token) => world.login(LOCAL, token)));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(tokens).toContain(await world.token());
});
