import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allCommands } from "../../src/cli/all-commands.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { manualPages } from "../../src/cli/manual/pages.ts";
import { TREE } from "../../src/cli/tree.ts";
import { cli } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";

const PAGES = await manualPages();
const FILES = Object.keys(PAGES);
const folder = mkdtempSync(join(tmpdir(), "relayctl-man-"));

beforeAll(() => {
  for (const [file, text] of Object.entries(PAGES)) writeFileSync(join(folder, file), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const NOUNS = Object.keys(TREE);
const COMMANDS = (await allCommands()).map(([path]) => path);
const pageName = (path: string) => `relayctl-${path.replaceAll(" ", "-")}.1`;

/** Returns the command line of each help screen on a page: of the program and its topics, or of a noun or a command. */
function helpLines(file: string): string[] {
  const path = [...NOUNS, ...COMMANDS].find((each) => pageName(each) === file);
  if (path === undefined) return ["--help", ...Object.keys(TOPICS).map((topic) => `help ${topic}`)];
  return [`${path} --help`];
}

/** Returns the words of a page without the roff around them. */
function wordsOf(roff: string): string[] {
  const text = roff
    .replaceAll(/^\.(?:TH.*|PP|EX|EE|TP|nh|ad l)$/gm, "")
    .replaceAll(/^\.(?:SH|SS|BR|B) /gm, "")
    .replaceAll(/\\\[u([0-9A-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("\\&", "")
    .replaceAll("\\-", "-")
    .replaceAll("\\e", "\\");
  return text.toLowerCase().split(/[\s,"·]+/);
}

test("the program, every noun, and every command have a man page", () => {
  const pages = new Set([...NOUNS, ...COMMANDS].map(pageName));
  expect([...FILES].sort()).toEqual(["relayctl.1", ...pages].sort());
});

test("the page of a noun leads to those of its commands, and theirs lead back", () => {
  expect(PAGES["relayctl-tx.1"]).toContain(".BR relayctl\\-tx\\-send\\-many (1)");
  expect(PAGES["relayctl-tx-send-many.1"]).toContain(".BR relayctl\\-tx (1)");
});

/** Pages that are compared with their help screens. */
const READ = new Set<string>(sampled(FILES, 4));

describe.each(FILES)("%s", (file) => {
  const text = PAGES[file] ?? "";

  test.runIf(READ.has(file))("contains every word of each help screen, under its name", async () => {
    const parts = text.split(/^(?=\.SH "RELAYCTL )/m);
    const lines = helpLines(file);
    expect(parts.length).toBe(lines.length);
    for (const [index, line] of lines.entries()) {
      const part = parts[index] ?? "";
      const { stdout } = await cli(line);
      const shown = new Set(wordsOf(part));
      const words = stdout
        .replace("Usage: ", "")
        // Help leaves these to other pages, and the man page contains them.
        .replace(/^Other networks\n(?: .*\n)+/m, "")
        .replaceAll("(`relayctl help waiting`)", "")
        .replaceAll(/·\s+relayctl help (?:exit-codes|environment)/g, "")
        .toLowerCase()
        .split(/[\s,"·]+/);
      expect(words.filter((word) => !shown.has(word) && word !== "\\")).toEqual([]);
      const title = line.replace(" --help", "").toUpperCase().replaceAll("-", "\\-");
      if (index > 0) expect(part).toContain(`.SH "RELAYCTL ${title}"\n`);
    }
  });

  test("uses only man(7) requests and ASCII", () => {
    const lines = text.trimEnd().split("\n");
    const known = /^(?:\.(?:TH|SH|SS|B|BR) \S.*|\.(?:PP|EX|EE|TP|nh|ad l)|[^.'\s].*| .*|)$/;
    expect(lines.filter((line) => !known.test(line) || !/^[\x20-\x7e]*$/.test(line))).toEqual([]);
    expect(lines.filter((line) => /\\(?![-e&]|\[u[0-9A-F]{4,6}\])/.test(line))).toEqual([]);
    expect(text.match(/^\.EX$/gm)?.length).toBe(text.match(/^\.EE$/gm)?.length);
  });

  test("refers only to pages that exist", () => {
    const named = [...text.matchAll(/^\.BR (\S+) \(1\)/gm)].map(([, name = ""]) => `${name.replaceAll("\\-", "-")}.1`);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((other) => !FILES.includes(other))).toEqual([]);
  });
});

/** The readers to try, if installed. */
const READERS: readonly (readonly [string, readonly string[]])[] = [
  ["groff", ["-man", "-ww", "-z", "-Tutf8"]],
  ["mandoc", ["-Tlint", "-Wwarning"]],
];

describe.each(READERS)("%s", (program, flags) => {
  const isThere = spawnSync(program, ["--version"]).error === undefined;

  test(isThere ? "reads every page without a warning" : "is not installed, so nothing is checked", () => {
    if (!isThere) return;
    const paths = FILES.map((file) => join(folder, file));
    const { stdout, stderr, status } = spawnSync(program, [...flags, ...paths], { encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });
});

test("a man page shows an example as it is typed", () => {
  const isThere = spawnSync("groff", ["--version"]).error === undefined;
  const page = "relayctl-tx-send.1";
  const shown = spawnSync("groff", ["-man", "-Tascii", "-P-cbou", join(folder, page)], { encoding: "utf8" });
  // Nothing is lost on a terminal that only knows ASCII.
  if (isThere) expect(shown.stderr).toBe("");
  const read = isThere ? shown.stdout : wordsOf(PAGES[page] ?? "").join(" ");
  expect(read).toContain("--to @treasury --value 0.01eth");
});
