import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl } from "./relayctl.ts";

const CONFIG = {
  version: 1,
  current: "west",
  contexts: {
    east: { server: "http://127.0.0.1:1", token: "east-token-0123" },
    west: { server: "http://127.0.0.1:2", token: "west-token-0123" },
  },
};

test("the program uses the project file of its folder once it is trusted, until its content changes", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "config"), { mode: 0o700 });
  writeFileSync(join(folder, "config", "config.json"), JSON.stringify(CONFIG), { mode: 0o600 });
  const path = join(folder, ".relayctl.json");
  const write = (context: string) => writeFileSync(path, `{"context": "${context}"}`, { mode: 0o644 });
  const run = async (...args: string[]) => await relayctl(args, { folder });
  const show = async () => await run("context", "show", "-o", "json");
  write("east");
  const before = await show();
  expect(JSON.parse(before.stdout).context).toBe("west");
  expect(before.stderr).toContain(
    ".relayctl.json is not trusted yet, and is not used; to use it, run relayctl context trust",
  );
  const trusted = await run("context", "trust");
  expect([trusted.exitCode, trusted.stderr]).toEqual([0, expect.stringContaining("context: east")]);
  const after = await show();
  expect([JSON.parse(after.stdout).context, after.stderr.trim()]).toEqual(["east", ""]);
  expect(JSON.parse((await run("context", "show", "-o", "json", "-c", "west")).stdout).context).toBe("west");
  write("north");
  const changed = await show();
  expect([JSON.parse(changed.stdout).context, changed.stderr]).toEqual([
    "west",
    expect.stringContaining("changed since it was trusted"),
  ]);
  expect((await run("context", "trust", "--forget")).stderr).toContain("forgot ");
  writeFileSync(path, '{"server": "https://evil.example"}', { mode: 0o644 });
  const hostile = await show();
  expect([hostile.exitCode, hostile.stdout]).toEqual([2, ""]);
  expect(hostile.stderr).toContain(".relayctl.json:1 server: cannot be set here");
  expect((await run("--demo", "relayers", "list", "-o", "name")).exitCode).toBe(0);
});
