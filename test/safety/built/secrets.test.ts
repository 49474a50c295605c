import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../../e2e/program.ts";
import { newFolder, relayctl, start } from "../../e2e/relayctl.ts";
import { rawService, reply } from "../../e2e/services/raw.ts";
import { CANARY_KEY, CANARY_TOKEN, secretsIn } from "../../helpers/scan.ts";

// Whatever the program prints in these tests is searched for both canaries by `relayctl` and `start` themselves.

const ANSWER = reply(200, '{"success":true,"data":[{"id":"r1"}]}');

function folderWith(contexts: Record<string, object>, programs: Record<string, string> = {}): string {
  const folder = newFolder();
  mkdirSync(join(folder, "config"), { mode: 0o700 });
  writeFileSync(join(folder, "config", "config.json"), JSON.stringify({ version: 1, contexts }), { mode: 0o600 });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test("NODE_DEBUG shows neither the token nor a signing key", async () => {
  const { env, requests } = await rawService((request) =>
    request.startsWith("POST ")
      ? reply(201, '{"success":true,"data":{"id":"h1"}}')
      : reply(404, '{"success":false,"data":null,"message":"Notification with ID h1 not found"}'),
  );
  const folder = newFolder();
  writeFileSync(join(folder, "key"), CANARY_KEY);
  const args = [
    "notifications",
    "create",
    "--id",
    "h1",
    "--url",
    "https://h.example",
    "--signing-key-file",
    "key",
    "-v",
  ];
  const modules = "http,https,net,tls,stream,undici,fetch,child_process,module,fs";
  // Node itself warns of "http" there. The other variable is Bun's.
  const debugging = { ...env, NODE_DEBUG: modules, NODE_NO_WARNINGS: "1", BUN_CONFIG_VERBOSE_FETCH: "curl" };
  const { stderr } = await relayctl(args, { folder, env: debugging });
  // Bun prints nothing for NODE_DEBUG.
  if (!EXECUTABLE) expect(stderr).toMatch(/^NET \d+: /m);
  expect(requests.some((request) => request.startsWith("POST ") && request.includes(CANARY_KEY))).toBe(true);
});

test("a token_command gets no token in its environment or arguments", async () => {
  const { env, requests } = await rawService(() => ANSWER);
  const print =
    'env > seen-env; tr "\\0" " " < /proc/$$/cmdline > seen-argv; tr "\\0" " " < /proc/$PPID/cmdline > seen-parent';
  const token = "another-token-of-the-command-0123456789";
  const context = { server: env.RELAYCTL_SERVER, token_command: ["./helper", "argument"] };
  const folder = folderWith({ work: context }, { helper: `${print}; echo ${token}` });
  const { exitCode } = await relayctl(["relayers", "list", "-c", "work", "-v"], {
    folder,
    env: { RELAYCTL_TOKEN: CANARY_TOKEN },
  });
  expect([exitCode, requests.length]).toEqual([0, 1]);
  expect(requests[0]).toContain(`Bearer ${token}`);
  const seen = ["seen-env", "seen-argv", "seen-parent"].map((name) => readFileSync(join(folder, name), "utf8"));
  expect(seen.every((text) => text.length > 0)).toBe(true);
  expect(seen.flatMap((text) => secretsIn(text))).toEqual([]);
  expect(seen[0]).not.toContain("RELAYCTL_TOKEN=");
});

test("SIGUSR1 opens no inspector in a process with a token", async () => {
  const { child, ended } = start(["serve"]);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.kill("SIGUSR1");
  child.kill("SIGUSR1");
  // An inspector would have been opened before these have ended.
  for (let run = 0; run < 2; run++) await relayctl(["--version"]);
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ exitCode: 0, stderr: expect.not.stringMatching(/debugger|inspector/i) });
});

test("the token of the environment is not written to any file", async () => {
  const { env } = await rawService(() => ANSWER);
  const folder = newFolder();
  await relayctl(["relayers", "list", "-v"], { folder, env });
  await relayctl(["context", "set", "work", "--server", env.RELAYCTL_SERVER], { folder, env });
  expect(secretsIn(readFileSync(join(folder, "config", "config.json"), "utf8"))).toEqual([]);
});
