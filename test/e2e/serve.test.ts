import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bash, newFolder, relayctl, start } from "./relayctl.ts";
import { rawService } from "./services/raw.ts";
import { serve } from "./services/served.ts";

test("prints shell variables in two lines, logs each request, and exits with 0 after Ctrl-C", async () => {
  const served = await serve();
  const { exitCode, stdout } = await bash(`${served.printed} relayctl relayers list -o name`);
  expect([exitCode, stdout.split("\n").length]).toEqual([0, 9]);
  const ended = await served.interrupt();
  expect(ended.exitCode).toBe(0);
  expect(ended.stderr).toMatch(/GET +\/api\/v1\/relayers\?page=1&per_page=1000 +200 /);
});

test("keeps changes between two processes", async () => {
  const { env } = await serve();
  await relayctl(["relayers", "pause", "base-hot"], { env });
  const { stdout } = await relayctl(["relayers", "get", "base-hot", "-o", "json"], { env });
  expect(JSON.parse(stdout)).toMatchObject({ id: "base-hot", paused: true });
});

test("rejects a different token with exit code 4", async () => {
  const { env } = await serve();
  const { exitCode, stderr } = await relayctl(["relayers", "list"], {
    env: { ...env, RELAYCTL_TOKEN: "another-token-0123456789" },
  });
  expect(exitCode).toBe(4);
  expect(stderr).toMatch(/^error: /);
});

test("rejects a missing token and a foreign origin after the headers, and closes the connection", async () => {
  const { env } = await serve();
  const port = Number(new URL(env.RELAYCTL_SERVER).port);
  const statusOf = async (...lines: string[]) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      ["POST /api/v1/notifications HTTP/1.1", "Host: localhost", "Content-Length: 9", ...lines, "\r\n"].join("\r\n"),
    );
    return (await text(socket)).slice(0, 12);
  };
  expect(await statusOf()).toBe("HTTP/1.1 401");
  const token = `Authorization: Bearer ${env.RELAYCTL_TOKEN}`;
  expect(await statusOf(token, "Origin: https://evil.example.org")).toBe("HTTP/1.1 403");
});

test("auth login stores a context that works, and auth logout removes its token", async () => {
  const { env } = await serve();
  const folder = newFolder();
  writeFileSync(join(folder, "token.txt"), `${env.RELAYCTL_TOKEN}\n`);
  const login = ["auth", "login", "--context", "prod", "--server", env.RELAYCTL_SERVER, "--token-file", "token.txt"];
  expect(await relayctl(login, { folder })).toMatchObject({ exitCode: 0, stdout: "" });
  const contexts = await relayctl(["context", "list", "-o", "json"], { folder });
  expect(JSON.parse(contexts.stdout)).toMatchObject([{ name: "prod", current: true, server: env.RELAYCTL_SERVER }]);
  expect(contexts.stdout).not.toContain(env.RELAYCTL_TOKEN);
  expect(await relayctl(["auth", "token"], { folder })).toMatchObject({ stdout: `${env.RELAYCTL_TOKEN}\n` });
  expect(await relayctl(["relayers", "list", "-o", "name"], { folder })).toMatchObject({ exitCode: 0 });
  expect(await relayctl(["auth", "logout"], { folder })).toMatchObject({ exitCode: 0 });
  expect(await relayctl(["relayers", "list"], { folder })).toMatchObject({ exitCode: 4, stdout: "" });
});

test("Ctrl-C exits with 130 while a command waits for its response", async () => {
  let asked = () => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { env } = await rawService(() => void asked());
  const { child, ended } = start(["relayers", "list"], { env });
  await waiting;
  child.kill("SIGINT");
  const { exitCode, stdout, stderr } = await ended;
  expect([exitCode, stdout]).toEqual([130, ""]);
  expect(stderr).toMatch(/^Interrupted/);
});
