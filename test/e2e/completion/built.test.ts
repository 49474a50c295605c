import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { words } from "../../completion/offered.ts";
import { chosen } from "../../helpers/deep.ts";
import { CANARY_TOKEN, secretsIn } from "../../helpers/scan.ts";
import { ENDED_BY_SIGNAL } from "../../helpers/time-up.ts";
import { BIN } from "../program.ts";
import { newFolder, ROOT, relayctl, spawnOptions, type World } from "../relayctl.ts";
import { serve } from "../services/embedded.ts";
import { rawService, reply } from "../services/raw.ts";
import { keepIds } from "./session.ts";

/** What the fish script receives for a line, which is split at its spaces. */
async function answer(line: string, world: World): Promise<string[]> {
  const typed = line.split(" ").slice(1);
  const { exitCode, stdout, stderr } = await relayctl(
    ["__complete", "fish", String(typed.length - 1), "--", ...typed],
    world,
  );
  expect([exitCode, stderr]).toEqual([0, ""]);
  const [kind, ...lines] = stdout.trimEnd().split("\n");
  expect(kind).toBe("words");
  return lines;
}

const LINE = "relayctl relayers get ";
const kept = (folder: string) => join(folder, "config/completion");

describe("IDs", () => {
  test("come from the embedded server with --demo, including transactions", async () => {
    const world = { folder: newFolder() };
    const replace = "relayctl --demo tx replace eth-main-1 ";
    await keepIds(replace, world);
    expect(await answer(replace, world)).toEqual([
      "3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b\tsubmitted, nonce 10",
      "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a\tsubmitted, nonce 9",
      "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9\tsubmitted, nonce 8",
      "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50\tsubmitted, nonce 7",
      "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f\tsubmitted, nonce 5",
    ]);
  });

  test("come from the context on the command line", async () => {
    const { env } = await serve();
    const folder = newFolder();
    mkdirSync(join(folder, "config"), { mode: 0o700 });
    const contexts = {
      up: { server: env.RELAYCTL_SERVER, token: env.RELAYCTL_TOKEN },
      down: { server: "http://127.0.0.1:1", token: "unused-token" },
    };
    const config = join(folder, "config/config.json");
    writeFileSync(config, JSON.stringify({ version: 1, current: "down", contexts }), { mode: 0o600 });
    await keepIds("relayctl relayers get -c up ", { folder });
    expect(await answer("relayctl relayers get -c up ", { folder })).toHaveLength(8);
    expect(await answer(LINE, { folder })).toEqual([]);
    expect(await answer("relayctl -c ", { folder })).toEqual([
      `up\t${env.RELAYCTL_SERVER}`,
      "down\thttp://127.0.0.1:1",
    ]);
  });

  test("are cached in a file with mode 0600, without a token", async () => {
    const { env } = await serve();
    const folder = newFolder();
    await keepIds(LINE, { folder, env });
    const files = readdirSync(kept(folder)).map((name) => join(kept(folder), name));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files.filter((path) => statSync(path).isFile())) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, "utf8")).not.toContain(env.RELAYCTL_TOKEN);
    }
    expect(statSync(kept(folder)).mode & 0o777).toBe(0o700);
  });

  test("are not requested with RELAYCTL_NO_DYNAMIC_COMPLETION", async () => {
    const service = await rawService(() => reply(500, ""));
    const folder = newFolder();
    const env = { ...service.env, RELAYCTL_NO_DYNAMIC_COMPLETION: "1" };
    expect(await answer(LINE, { folder, env })).toEqual([]);
    expect(await answer("relayctl relayers upd", { folder, env })).toContainEqual(expect.stringMatching(/^update\t/));
    expect(service.requests).toEqual([]);
    expect(existsSync(kept(folder))).toBe(false);
  });
});

const LIST =
  '{"success":true,"data":[{"id":"r1","network":"base"}],"error":null,"pagination":{"current_page":1,"per_page":1000,"total_items":1}}';

describe("a service that", () => {
  test("hangs gets one request, does not block, and its late response is cached", async () => {
    let release = (_: string) => {};
    const held = new Promise<string>((resolve) => {
      release = resolve;
    });
    const service = await rawService(() => held);
    // The process that asks has five seconds for it, and a busy machine may need more.
    const env = { ...service.env, NODE_OPTIONS: ENDED_BY_SIGNAL, ATTEMPT: "5000" };
    const world = { folder: newFolder(), env };
    for (let tries = 0; service.requests.length === 0 && tries < 40; tries++)
      expect(await answer(LINE, world)).toEqual([]);
    expect(await answer(LINE, world)).toEqual([]);
    expect(service.requests).toHaveLength(1);
    release(reply(200, LIST));
    await keepIds(LINE, world);
    expect(await answer(LINE, world)).toEqual(["r1\tbase, active"]);
    expect(service.requests).toHaveLength(1);
  });

  const faults: readonly (readonly [string, string])[] = [
    ["rejects the token", reply(401, '{"message":"Unauthorized"}')],
    ["returns nonsense", reply(200, "<html>")],
    ["fails", reply(503, "")],
    ["closes the connection", ""],
  ];

  test.each(chosen(faults, 1))("%s returns no IDs and no error, and leaves nothing in the cache", async (_, text) => {
    const service = await rawService(() => text);
    const world = { folder: newFolder(), env: service.env };
    expect(await answer(LINE, world)).toEqual([]);
    const files = existsSync(kept(world.folder)) ? readdirSync(kept(world.folder)) : [];
    expect(files.filter((name) => /^[0-9a-f]{16}$/.test(name))).toEqual([]);
  });

  test("cannot be reached leaves the completion of commands working", async () => {
    const world = { folder: newFolder(), env: { RELAYCTL_SERVER: "http://127.0.0.1:1", RELAYCTL_TOKEN: CANARY_TOKEN } };
    expect(await answer("relayctl relayers get ", world)).toEqual([]);
    expect(await answer("relayctl tx rep", world)).toContainEqual(expect.stringMatching(/^replace\t/));
  });
});

test("completion does not run a token command", async () => {
  const folder = newFolder();
  const ran = join(folder, "ran");
  mkdirSync(join(folder, "config"), { mode: 0o700 });
  const contexts = { prod: { server: "http://127.0.0.1:1", token_command: ["touch", ran] } };
  const config = join(folder, "config/config.json");
  writeFileSync(config, JSON.stringify({ version: 1, current: "prod", contexts }), { mode: 0o600 });
  expect(await answer(LINE, { folder })).toEqual([]);
  for (let tries = 0; !existsSync(kept(folder)) && tries < 40; tries++) await answer(LINE, { folder });
  expect(await answer(LINE, { folder })).toEqual([]);
  expect(existsSync(ran)).toBe(false);
});

test("completing a cached ID loads only the completion entry", async () => {
  const world = { folder: newFolder() };
  const line = "relayctl --demo relayers get ";
  await keepIds(line, world);
  const code = `
    process.argv = [process.argv[0], ${JSON.stringify(BIN)}, "__complete", "bash", "9", "80", " ", "--", "${line}eth-s"];
    process.on("exit", () => console.error(Object.keys(require.cache).join("\\n")));
    require(process.argv[1]);`;
  const { stdout, stderr } = await execa(process.execPath, ["-e", code], spawnOptions(world));
  expect(stdout).toBe("words\neth-sepolia\n");
  expect(stderr.trim().split("\n")).toEqual([BIN, join(ROOT, "dist/complete.js")]);
});

test("what the build writes down contains all commands of the sources", () => {
  const folder = join(ROOT, "dist/words");
  const built = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
  for (const { name, summary } of words.program.commands) {
    expect(built).toContain(name);
    expect(built).toContain(summary);
  }
  expect(secretsIn(built)).toEqual([]);
});

test.each([
  ["bash", "relayctl.bash"],
  ["zsh", "_relayctl"],
  ["fish", "relayctl.fish"],
  ["powershell", "relayctl.ps1"],
])("the built program prints the %s script in completions/", async (shell, file) => {
  const { stdout } = await relayctl(["completion", shell]);
  expect(stdout).toBe(readFileSync(join(ROOT, "completions", file), "utf8"));
});
