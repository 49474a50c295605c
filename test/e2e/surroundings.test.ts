import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, EXECUTABLE } from "./program.ts";
import { bash, newFolder, ROOT, relayctl } from "./relayctl.ts";
import { serve } from "./services/embedded.ts";
import { rawService, reply } from "./services/raw.ts";

const NO_SERVER = "error: no server configured.";

/** Files that Bun reads from the current folder, unless an executable is built without that. */
function folderOfAnother(): string {
  const folder = newFolder();
  const preload = 'preload = ["./run.js"]\n';
  const files = {
    "run.js": 'require("node:fs").writeFileSync("ran", ""); process.stderr.write("code of another ran\\n");',
    "bunfig.toml": `${preload}[run]\n${preload}`,
    ".bunfig.toml": preload,
    ".env": "RELAYCTL_SERVER=http://127.0.0.1:1\nRELAYCTL_TOKEN=a-token-of-another\n",
    ".env.local": "RELAYCTL_SERVER=http://127.0.0.1:1\n",
    ".env.production": "RELAYCTL_SERVER=http://127.0.0.1:1\n",
    "package.json": '{ "type": "module", "imports": { "node:fs": "./run.js" } }',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./run.js"] } } }',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("files in the current folder run no code and set no server", async () => {
  const folder = folderOfAnother();
  const { exitCode, stderr } = await relayctl(["relayers", "list"], { folder });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(NO_SERVER)]);
  expect(stderr).not.toContain("another");
  expect(await relayctl(["--version"], { folder })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(readdirSync(folder)).not.toContain("ran");
});

test("proxies of the environment are ignored", async () => {
  const { env, requests } = await rawService(() => reply(200, '{"success":true,"data":[],"error":null}'));
  const dead = "http://127.0.0.1:1";
  const proxies = { HTTP_PROXY: dead, http_proxy: dead, HTTPS_PROXY: dead, ALL_PROXY: dead, all_proxy: dead };
  const world = { env: { ...env, ...proxies } };
  expect((await relayctl(["relayers", "list", "--retries", "0"], world)).exitCode).toBe(0);
  expect(requests).toHaveLength(1);
});

// The build makes the HTTP parser without SIMD from the one with SIMD (scripts/parser-parts.js).
test.runIf(!EXECUTABLE && process.arch === "x64")("relayers are changed on a processor without SIMD", async () => {
  const node = `'${process.execPath}' --no-enable-sse4-1`;
  const parser = join(ROOT, "node_modules/undici/lib/llhttp/llhttp_simd-wasm.js");
  expect((await bash(`${node} -p 'WebAssembly.validate(require("${parser}"))'`)).stdout).toBe("false\n");
  const { env } = await serve();
  const paused = await bash(`${node} '${BIN}' relayers pause eth-main-1 base-hot --yes`, { env });
  expect(paused).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("2 relayers paused") });
});

test.runIf(EXECUTABLE)("an executable writes no file among the temporary files", async () => {
  const folder = newFolder();
  const TMPDIR = join(folder, "temporary");
  mkdirSync(TMPDIR);
  expect((await relayctl(["--demo", "relayers", "list"], { folder, env: { TMPDIR } })).exitCode).toBe(0);
  expect(readdirSync(TMPDIR)).toEqual([]);
});

test.runIf(EXECUTABLE).each([
  ["BUN_INSPECT", "ws://127.0.0.1:0/inspector"],
  ["BUN_INSPECT_CONNECT_TO", "unix:///nowhere/inspector"],
])("an executable that %s has inspected ends with 2 before it reads the token", async (variable, address) => {
  const { env, requests } = await rawService(() => reply(200, '{"success":true,"data":[],"error":null}'));
  const world = { env: { ...env, [variable]: address } };
  const { exitCode, stdout, stderr } = await relayctl(["relayers", "list"], world);
  expect([exitCode, stdout, requests]).toEqual([2, "", []]);
  expect(stderr).toContain(`error: ${variable} is set`);
});

test.runIf(EXECUTABLE)("in a folder that was deleted, an executable ends with 1 before it does anything", async () => {
  const line = 'mkdir gone && cd gone && rmdir ../gone && relayctl --demo relayers list; echo "exit code $?"';
  const { stdout, stderr } = await bash(line);
  expect([stdout, stderr]).toEqual(["exit code 1\n", expect.stringContaining("working directory was deleted")]);
});
