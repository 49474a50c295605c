import { join } from "node:path";
import type { Config } from "../../../src/config/config.ts";
import { createConfigStore } from "../../../src/config/store.ts";
import { realSurroundings } from "../../config/surroundings.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { sampled } from "../../helpers/deep.ts";
import { refusal, success } from "../../helpers/service/reply.ts";
import type { World } from "../../helpers/test-app.ts";
import { LOCAL, runWith } from "../context/stored-world.ts";

const accept: NonNullable<World["service"]> = async () => success([]);
const refuse: typeof accept = async () => refusal(401, "Unauthorized");
const OTHER = "http://127.0.0.1:8081";

/** The tokens whose login fails, by what fails. */
type Failures = Partial<Record<"keyring" | "disk" | "server", string>>;

/** Stands in for `pass`; `test/commands/auth/stores.test.ts` runs a program. Each run takes a moment. */
function memoryPass(cut = "nothing"): NonNullable<World["execute"]> {
  const kept = new Map<string, string>();
  const moment = () => new Promise((resolve) => setImmediate(resolve));
  return async ([, verb, ...words], { input }) => {
    const entry = words.at(-1) ?? "";
    for (let turn = 0; turn < 10; turn++) await moment();
    if (input !== undefined) kept.set(entry, input.includes(cut) ? "cut" : input);
    const found = kept.get(entry);
    if (verb === "rm") kept.delete(entry);
    if (found !== undefined) return { stdout: verb === "show" ? found : "" };
    return { stdout: "", stderr: "it is not in the password store", status: 1, problem: "it ended with status 1" };
  };
}

/** Logs in as two processes with one config and one store do. */
function processes(fails: Failures = {}) {
  const folder = join(temporaryFolder(), "relayctl");
  const note = async () => {};
  const configStore = createConfigStore({
    ...{ folder: () => folder, user: process.getuid?.(), note },
    surroundings: realSurroundings(),
  });
  const execute = memoryPass(fails.keyring);
  const fullDisk: typeof configStore = {
    ...configStore,
    path: join(folder, "config.json"),
    change: async (edit, failed) => {
      const full = async (config: Config) => {
        await edit(config);
        throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      };
      await configStore.change(full, failed);
    },
  };
  const run = async (argv: readonly string[], stdin = "") => {
    const isFull = fails.disk !== undefined && stdin.includes(fails.disk);
    const service = fails.server !== undefined && stdin.includes(fails.server) ? refuse : accept;
    return await runWith(argv, { stdin, configStore: isFull ? fullDisk : configStore, execute, service });
  };
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
    const world = processes();
    const [one, other] = ["token-of-the-first-login", "token-of-the-second-login"];
    const ended = await Promise.all([world.login(LOCAL, one), world.login(second, other)]);
    expect(ended.map(({ exitCode }) => exitCode).sort(), ended.map(({ stderr }) => stderr).join()).toEqual([0, 6]);
    const isFirst = ended[0].exitCode === 0;
    expect([await world.token(), await world.server()]).toEqual(isFirst ? [one, LOCAL] : [other, second]);
    expect(ended[isFirst ? 1 : 0].stderr).toContain("another login changed context ci meanwhile; nothing was stored");
  },
);

test("two further logins at once leave the token of the last one", async () => {
  const world = processes();
  expect((await world.login(LOCAL, "token-of-the-first-login")).exitCode).toBe(0);
  const tokens = ["token-of-the-second-login", "token-of-the-third-login"];
  const ended = await Promise.all(tokens.map((token) => world.login(LOCAL, token)));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(tokens).toContain(await world.token());
});

const OLD = "token-of-the-first-login";
const [GOOD, BAD, WORSE] = ["token-that-is-stored", "token-that-fails-first", "token-that-fails-second"];
const FAILURES = ["keyring", "disk", "server"] as const;
const CASES = FAILURES.flatMap((one) => FAILURES.map((other) => ({ one, other })));

test.each(sampled(CASES, 4))(
  "logins at once, of which two fail by $one and $other, leave the token of the third",
  async (each) => {
    for (const isFurther of [true, false])
      for (const tokens of [
        [GOOD, BAD, WORSE],
        [BAD, GOOD, WORSE],
        [BAD, WORSE, GOOD],
      ]) {
        const fails = { [each.other]: WORSE };
        const world = processes({ ...fails, [each.one]: each.one === each.other ? "fails" : BAD });
        if (isFurther) expect(await world.login(LOCAL, OLD)).toMatchObject({ exitCode: 0 });
        const ended = await Promise.all(tokens.map((token) => world.login(LOCAL, token)));
        const codes = ended.map(({ exitCode }) => exitCode);
        expect(codes[tokens.indexOf(GOOD)], ended.map(({ stderr }) => stderr).join()).toBe(0);
        expect(codes.filter((code) => code === 0)).toHaveLength(1);
        expect([await world.token(), await world.server()]).toEqual([GOOD, LOCAL]);
      }
  },
);
