import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT_CODES } from "../src/errors.ts";
import { blocks, looseCommands, patternOf, README, sessions } from "./e2e/readme-blocks.ts";
import { bash, ROOT } from "./e2e/relayctl.ts";
import { type Served, startServe } from "./e2e/served.ts";
import { inTerminal } from "./e2e/terminal.ts";

/**
 * Every command of the README runs here, from top to bottom and in one folder, as a reader would type them. A `console`
 * block is a terminal, whose output is compared; an `sh` block is a script, which has to end well against a service.
 */
const folder = mkdtempSync(join(tmpdir(), "relayctl-readme-"));
let service: Served;

beforeAll(async () => {
  service = await startServe([], { folder: mkdtempSync(join(folder, "service-")) });
});

afterAll(async () => {
  await service.interrupt();
  rmSync(folder, { recursive: true, force: true });
});

const [setUp, ...scripts] = blocks("sh");

test("its first line prints a table of the embedded server's relayers, its second passes the tests", {
  timeout: 120_000,
}, async () => {
  const [install = "", check = ""] = setUp?.text.trim().split("\n") ?? [];
  const { scripts: npmScripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(npmScripts).toMatchObject({ build: "node scripts/build.js", test: "vitest run" });
  expect(check).toBe("npm ci && npm test");
  expect(install).toMatch(/^npm ci && npm run build && node bin\/relayctl\.js /);
  const copy = mkdtempSync(join(folder, "copy-"));
  // Other tests run what was built from the original meanwhile.
  for (const part of ["bin", "package.json", "scripts", "src", "tsconfig.json", "tsconfig.types.json"])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const { exitCode, shown } = await inTerminal(`cd '${copy}' && ${install.replace("npm ci && ", "")}`, { folder });
  expect(exitCode).toBe(0);
  expect(shown).toMatch(/base-hot +Base hot +base +/);
});

test.each(sessions())("$ $command", async ({ command, shown }) => {
  const typed = command.includes("relayctl serve") ? [{ after: "RELAYCTL_TOKEN", keys: "\u0003" }] : [];
  const seen = await inTerminal(command, { folder, columns: 110, env: { NO_COLOR: "1" }, typed });
  expect(seen.shown.replace("^C", "").trimEnd()).toMatch(patternOf(shown));
});

test.each(scripts.map(({ text }) => text))("%s", async (text) => {
  const ran = await bash(`set -euo pipefail\n${withService(text)}`, { folder, env: service.env });
  expect(ran).toMatchObject({ exitCode: 0 });
});

test.each(looseCommands())("%s", async (command) => {
  expect(await bash(withService(command), { folder, env: service.env })).toMatchObject({ exitCode: 0 });
});

test("no command stands in a block that nobody runs", () => {
  const others = blocks().filter(({ language }) => !["console", "sh", "yaml"].includes(language));
  expect(others.map(({ language }) => language)).toEqual(["ts"]);
  expect(others.filter(({ text }) => /^\W*relayctl /m.test(text))).toEqual([]);
  expect(blocks("console").filter(({ text }) => !text.startsWith("$ "))).toEqual([]);
});

test("its table of exit codes is the program's", () => {
  const rows = [...README.matchAll(/^\| ([0-9]+) \| `(\w+)` \|/gm)].map(([, code, word]) => [word, Number(code)]);
  expect(Object.fromEntries(rows)).toEqual({ ok: 0, ...EXIT_CODES });
});

/** The service that the README speaks of is the embedded one. */
function withService(text: string): string {
  return text.replaceAll("https://relayer.example.org", service.env.RELAYCTL_SERVER);
}
