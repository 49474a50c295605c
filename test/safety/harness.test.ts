import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** The files of tests that may reach the program; each hands what it captures to `checked`. */
const DOORS = [
  "helpers/cli.ts",
  "e2e/relayctl.ts",
  "e2e/terminal/closing.ts",
  "e2e/terminal/terminal.ts",
  "e2e/terminal/terminal-session.ts",
  "e2e/completion/session.ts",
  "e2e/services/served.ts",
  "docs/pictures/scene.ts",
  "faults/world.ts",
  "faults/built/run-built.ts",
];
/** They start other programs, make a bug on purpose, print to nobody, search what is printed on their own, or compare all of it. */
const OTHERS = [
  "cli/after-write.test.ts",
  "faults/odd/odd-values.test.ts",
  "safety/disk/real-files.ts",
  "chaos/program.ts",
  "e2e/build.ts",
  "e2e/loaded.test.ts",
  "e2e/program.ts",
  "e2e/compiled.test.ts",
  "e2e/memory.test.ts",
  "e2e/payments-library.test.ts",
  "e2e/surroundings.test.ts",
  "e2e/completion/built.test.ts",
  "journal/processes/processes.test.ts",
  "package.test.ts",
  "cli/errors.test.ts",
  "command-support/shown.test.ts",
  "commands/list-output/digests.test.ts",
  "safety/built/fuzz.test.ts",
  "installed/deb.test.ts",
  "installed/image.test.ts",
  "installed/tarball.test.ts",
  "scripts/action/install.test.ts",
  "scripts/chaos.test.ts",
  "scripts/release/installation.test.ts",
];

const REACHES = /from "(?:[./]+src\/cli\/run\.ts|execa|@lydell\/node-pty)"|\bBIN\b/;

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".ts"));

function textOf(name: string): string {
  return readFileSync(join(ROOT, name), "utf8");
}

test("tests run the program only through helpers that check its output", () => {
  const reaching = files.filter((name) => REACHES.test(textOf(name)) && !name.endsWith("harness.test.ts"));
  expect(reaching.filter((name) => !DOORS.includes(name) && !OTHERS.includes(name))).toEqual([]);
});

test.each(DOORS)("%s checks the output", (name) => expect(textOf(name)).toMatch(/\bchecked\(/));
