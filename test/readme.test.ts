import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { EXIT_CODES } from "../src/errors.ts";
import { blocksOf, GUIDES, patternOf, splitStep, stepsOf, textOf } from "./e2e/guide.ts";
import { bash, environment, ROOT } from "./e2e/relayctl.ts";
import { type EmbeddedService, openService } from "./e2e/services/embedded.ts";
import { inTerminal } from "./e2e/terminal/terminal.ts";
import { DEEP } from "./helpers/deep.ts";
import { removeFolder } from "./helpers/remove-folder.ts";

/**
 * Runs the commands of README and guides that write, or need a shell or a file, as a reader would: each document from top to
 * bottom, in one folder, against one service. The others run in test/docs/commands.test.ts. Compares the output of a `console`
 * block; an `sh` block has to exit with 0.
 */
const folder = mkdtempSync(join(tmpdir(), "relayctl-readme-"));
const [setUp] = blocksOf("README.md", "sh");

afterAll(() => removeFolder(folder));

test("the first line of the README prints the embedded server's relayers, and the second runs the tests", async () => {
  const [install = "", check = ""] = setUp?.text.trim().split("\n") ?? [];
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(scripts).toMatchObject({ build: "node scripts/build.js", test: "vitest run" });
  expect(check).toBe("npm ci && npm test");
  expect(install).toMatch(/^npm ci && npm run build && node bin\/relayctl\.js /);
  // Before all tests of what is built, the program is built in the same way; deep runs build it once more, from a copy.
  const [place, line] = DEEP ? [copied(), install.replace("npm ci && ", "")] : [ROOT, install.replace(/^.* && /, "")];
  const { exitCode, shown } = await inTerminal(`cd '${place}' && ${line}`, { folder });
  expect(exitCode).toBe(0);
  expect(shown).toMatch(/base-hot +Base hot +base +/);
});

/** Copies what a build needs. Other tests run the program that was built from the original at the same time. */
function copied(): string {
  const copy = mkdtempSync(join(folder, "copy-"));
  const inside = [
    "bin",
    "deploy",
    "docs/examples",
    "package.json",
    "scripts",
    "src",
    "tsconfig.json",
    "tsconfig.types.json",
  ];
  for (const part of inside) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** A stand-in for the password store of GnuPG, which keeps each entry in a file. */
const PASS = `#!/bin/sh
for entry; do :; done
entry="$HOME/entries/$(basename "$entry")"
mkdir -p "$HOME/entries"
case $1 in
  insert) cat > "$entry" ;;
  show) cat "$entry" 2> /dev/null || { echo "Error: $entry is not in the password store." >&2; exit 1; } ;;
esac
`;

function usePass(home: string): void {
  const { PATH = "" } = environment(home);
  writeFileSync(join(PATH.split(delimiter)[0] ?? "", "pass"), PASS, { mode: 0o755 });
}

/** The documents of a run that is not deep, with each sort of step. test/docs/commands.test.ts parses every line of all. */
const QUICK: readonly string[] = [
  ...["README.md", "docs/start/get-started.md", "docs/guides/ci.md", "docs/guides/webhooks.md"],
  "docs/guides/library.md",
];
const RUN = DEEP ? GUIDES : GUIDES.filter((path) => QUICK.includes(path));
/** What the README has its reader type; a deep run types it again where another document repeats it. */
const OF_README = new Set(stepsOf("README.md").map((step) => JSON.stringify(step)));

/** Leads commands that wait on the chain of `--demo` for a minute to the service, whose chain is faster, except in a deep run. */
function withoutDemo(line: string): string {
  return !DEEP && / --wait\b| unstick .* --yes\b/.test(line) ? line.replaceAll("--demo ", "") : line;
}

describe.each(RUN)("%s", (path) => {
  const home = mkdtempSync(join(folder, "home-"));
  const steps = stepsOf(path)
    .filter(({ line }) => line !== setUp?.text)
    .filter((step) => DEEP || path === "README.md" || !OF_README.has(JSON.stringify(step)))
    .map((step) => ({ ...step, line: splitStep(step).rest }))
    .filter(({ line }) => /\S/.test(line));
  let service: EmbeddedService;

  beforeAll(async () => {
    // A wait in a document takes a second then, not a minute.
    service = await openService({ speed: 100, token: "token-of-the-service-of-a-document" });
  });

  afterAll(async () => {
    await service.close();
  });

  test.each(steps)("$line", async ({ line, shown }) => {
    if (shown !== undefined) return await compare(line, shown);
    if (line.includes("--store pass")) usePass(home);
    const env = { ...service.env, RELAYCTL_JOURNAL: join(home, "journal"), GITHUB_RUN_ID: "1" };
    const { exitCode, stderr } = await bash(`set -euo pipefail\n${withService(withoutDemo(line))}`, {
      folder: home,
      env,
    });
    expect(exitCode, stderr).toBe(0);
  });

  test("every block that shows a command runs", () => {
    const others = blocksOf(path).filter(({ language }) => !["console", "sh", "yaml"].includes(language));
    // test/package.test.ts runs the programs.
    const programs = {
      "docs/guides/library.md": 9,
      "docs/guides/payouts.md": 1,
      "docs/guides/webhooks.md": 2,
    } as Readonly<Record<string, number>>;
    const shown = others.filter(({ language }) => language !== "json");
    expect(shown.map(({ language }) => language)).toEqual(Array(programs[path] ?? 0).fill("ts"));
    expect(others.filter(({ text }) => /^\W*relayctl /m.test(text))).toEqual([]);
    expect(blocksOf(path, "console").filter(({ text }) => !text.startsWith("$ "))).toEqual([]);
  });

  async function compare(line: string, shown: string): Promise<void> {
    const typed = line.includes("relayctl serve") ? [{ after: "RELAYCTL_TOKEN", keys: "\u0003" }] : [];
    const isQuick = line !== withoutDemo(line);
    const env = { NO_COLOR: "1", ...(isQuick && service.env) };
    const seen = await inTerminal(withoutDemo(line), { folder: home, columns: 110, env, typed });
    const expected = isQuick ? shown.replaceAll(" in demo ", " in … ") : shown;
    expect(seen.shown.replace("^C", "").trimEnd()).toMatch(patternOf(expected));
  }

  function withService(text: string): string {
    return text.replaceAll("https://relayer.example.org", service.env.RELAYCTL_SERVER);
  }
});

test("every command in the README's introduction has --demo", () => {
  const shown = blocksOf("README.md", "console").concat(blocksOf("README.md", "sh"));
  const commands = shown.flatMap(({ text }) =>
    [...text.matchAll(/(?:^|&& |\| |\$ )relayctl .*/gm)].map(([line]) => line),
  );
  const withoutDemo = commands.filter((line) => !/relayctl --demo |relayctl auth login /.test(line));
  expect(withoutDemo).toEqual([]);
});

test("the README has at most 120 lines", () =>
  expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120));

test("the table of exit codes matches the program", () => {
  const rows = [...textOf("docs/reference/exit-codes.md").matchAll(/^\| ([0-9]+) \| `(\w+)` \|/gm)].map(
    ([, code, word]) => [word, Number(code)],
  );
  expect(Object.fromEntries(rows)).toEqual({ ok: 0, ...EXIT_CODES });
});
