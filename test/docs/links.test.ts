import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allCommands } from "../../src/cli/all-commands.ts";
import { sendsRequest } from "../../src/cli/request-flags.ts";
import { ALL_CODES, LOCAL_CODES, RELAYER_CODES, SERVICE_CODES } from "../../src/doctor/codes.ts";
import { cli } from "../helpers/cli.ts";
import { DOCUMENTS, ROOT } from "./documents.ts";

const FENCED = /^```.*?^```$/gms;
/** The index itself, and pages that an index of their folder lists. */
const LISTED_ELSEWHERE = /^docs\/README\.md$|^docs\/project\/(?:decisions|service)\/(?!README)/;

test.each(DOCUMENTS)("every link in %s leads to a file and a heading", (name) => {
  const links = [...textOf(name).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, path = "", heading]) => {
    const target = path === "" ? name : join(dirname(name), path);
    if (!existsSync(join(ROOT, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

test("the pages for developers name files and folders that exist", () => {
  const rooms = readdirSync("src").filter((name) => !name.endsWith(".ts"));
  const texts = [...textOf("CONTRIBUTING.md").split("\n"), ...textOf("docs/project/architecture.md").split("\n")];
  const paths = texts.flatMap((line) => {
    const [, room] = /^\| `(src\/[\w-]+\/)` \|/.exec(line) ?? [];
    const names = [...line.matchAll(/`([\w./-]+)`/g)].map(([, name = ""]) => name);
    return names.flatMap((name) => {
      const [first = ""] = name.split("/");
      if (/^(?:src|test|scripts|docs)\//.test(name)) return name;
      if (room !== undefined && /^[\w-]+(?:\/|\.ts)$/.test(name)) return room + name;
      return name.includes("/") && rooms.includes(first) ? `src/${name}` : [];
    });
  });
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !existsSync(path) && !existsSync(`${path}.ts`))).toEqual([]);
});

test("every document is linked from another document", () => {
  const linked = DOCUMENTS.flatMap((name) =>
    [...textOf(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => join(dirname(name), path)),
  );
  expect(DOCUMENTS.filter((name) => name !== "README.md" && !linked.includes(name))).toEqual([]);
});

test("the index leads to every page of docs/", () => {
  const linked = [...textOf("docs/README.md").matchAll(/\]\(([^)#]+)\)/g)].map(([, path = ""]) => join("docs", path));
  const pages = DOCUMENTS.filter((name) => name.startsWith("docs/") && !LISTED_ELSEWHERE.test(name));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((name) => !linked.includes(name))).toEqual([]);
});

test("every break in the list of reliability is one that npm run chaos makes, at its place", () => {
  const breaks: { file: string; what: string }[] = JSON.parse(
    readFileSync(join(ROOT, "test/chaos/breaks.json"), "utf8"),
  );
  const [, table = ""] = textOf("docs/project/reliability.md").split("| Place | Broken | Seed |");
  const rows = [...table.matchAll(/^\| `([\w/-]+\.ts)` \| (.*) \| \d+ \|$/gm)];
  const isMade = (place: string, words: string) =>
    breaks.some(({ file, what }) => file.endsWith(place) && what === words.replaceAll("`", ""));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(([, place = "", words = ""]) => !isMade(place, words)).map(([row]) => row)).toEqual([]);
});

function textOf(name: string): string {
  return readFileSync(join(ROOT, name), "utf8").replaceAll(FENCED, "");
}

function headingsOf(name: string): string[] {
  return [...textOf(name).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

const FOLDER = join(import.meta.dirname, "../../docs/project/decisions");
const names = readdirSync(FOLDER).filter((name) => name !== "README.md");
const records = names.map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));

test.each(records)("$name has a title, a status, a context, a decision, and consequences", ({ text }) => {
  expect(text).toMatch(
    /^# \S.*\n\n## Status\n\n(?:Accepted|Replaced by decision \d+)[^#]*\n\n## Context\n\n\S[^#]*\n\n## Decision\n\n\S[^#]*\n\n## Consequences\n\n\S[^#]*\n$/,
  );
});

test("the records are numbered without gaps", () =>
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1)));

test("the index lists every record with its title", () => {
  const index = readFileSync(join(FOLDER, "README.md"), "utf8");
  const lines = records.map(
    ({ name, text }) => `- [${name.slice(0, 4)}](${name}) ${text.slice(2, text.indexOf("\n"))}`,
  );
  expect(index.split("\n").filter((line) => line.startsWith("- "))).toEqual(lines);
});

test("the page of doctor describes each code with its severity, in the order of the checks", () => {
  const page = readFileSync("docs/reference/doctor.md", "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[A-Z]+-/.test(line));
  const codes = { ...SERVICE_CODES, ...RELAYER_CODES, ...LOCAL_CODES };
  expect(rows).toEqual(ALL_CODES.map((code) => `| \`${code}\` | ${codes[code].severity} | ${codes[code].about} |`));
});

test("the page of doctor explains each severity as its help page does", async () => {
  const page = readFileSync("docs/reference/doctor.md", "utf8");
  const { stdout } = await cli("help codes");
  const meanings = [...stdout.matchAll(/^(fail|warn|note): (.*)$/gm)].map(([, name, text]) => `| ${name} | ${text} |`);
  expect(meanings).toHaveLength(3);
  expect(page.split("\n").filter((line) => /^\| (?:fail|warn|note) \|/.test(line))).toEqual(meanings);
});

test("every figure on a page is recorded with the date and the commit of its run", () => {
  execFileSync(process.execPath, [join(ROOT, "scripts/figures.js"), "--check"]);
});

test("the page of contexts lists every command that reads from one context only", async () => {
  const page = readFileSync("docs/reference/configuration.md", "utf8");
  const [, list = ""] = /These work with only one context, [^:]*: ([\s\S]*?)\n- /.exec(page) ?? [];
  const listed = [...list.matchAll(/`([a-z][a-z -]*[a-z])`/g)].map(([, name = ""]) => name);
  const commands = await allCommands();
  const single = commands.filter(([, { sends, contexts }]) => sends === "read" && sendsRequest(sends) && !contexts);
  expect(single.length).toBeGreaterThan(5);
  expect(single.map(([path]) => path).filter((path) => !listed.includes(path))).toEqual([]);
});

const { commands }: { commands: { command: string; common_flags: string[] }[] } = JSON.parse(
  (await cli("help --json")).stdout,
);
const { stdout: topics } = await cli("help --all");
const LONG: Readonly<Record<string, string>> = { "-o": "--output", "-q": "--quiet", "-v": "--verbose", "-y": "--yes" };
const OPPOSITES: Readonly<Record<string, string>> = { "--no-input": "--input", "--no-pager": "--pager" };

async function readSentences(): Promise<string[]> {
  const pages = ["flags", "agents", "safety", "output", "environment", "exit-codes", "waiting", "fleet"];
  const help = await Promise.all(pages.map(async (page) => (await cli(`help ${page}`)).stdout));
  const documents = DOCUMENTS.filter((path) => !path.startsWith("docs/project/")).map((path) =>
    readFileSync(path, "utf8"),
  );
  // A line of a list, and a row of a table, is a sentence.
  return [...documents, ...help, topics]
    .flatMap((text) => text.split(/\n(?= {0,2}\S)(?=\s*[-|]| {2})|\n\n|(?<=[.:])\s/))
    .map((sentence) => sentence.replaceAll(/\s+/g, " "));
}

test("a sentence about a flag of any or every command is true of all of them", async () => {
  const claims = (await readSentences()).filter((sentence) => /\b(?:any|every|each|all) commands?\b/i.test(sentence));
  const named = claims.flatMap((sentence) =>
    [...sentence.matchAll(/(?<![\w-])(?:--[a-z][a-z-]+|-[oqvy])(?![\w-])/g)].map(
      ([flag]) => [sentence, LONG[flag] ?? flag] as const,
    ),
  );
  const isTaken = (flag: string) =>
    flag === "--help" || commands.every(({ common_flags }) => common_flags.includes(OPPOSITES[flag] ?? flag));
  const isAboutHelp = (sentence: string) =>
    /\bhelp (?:--json|--all)|Flags of all commands|list of all commands/.test(sentence);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(([sentence, flag]) => !isTaken(flag) && !isAboutHelp(sentence))).toEqual([]);
});

test("a sentence about every write in a protected context states the exception", async () => {
  const claims = (await readSentences()).filter(
    (sentence) => /\bprotected\b/i.test(sentence) && /\b(?:any|every|each) write\b/i.test(sentence),
  );
  expect(claims.length).toBeGreaterThan(3);
  expect(claims.filter((sentence) => !/\bpaus/.test(sentence))).toEqual([]);
});

const CHANGELOG = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");
const HEADINGS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
const [, ...versions] = CHANGELOG.split(/^## /m);
const entries = CHANGELOG.split("\n").filter((line) => line.startsWith("- "));

test("the newest changes are unreleased", () => expect(versions[0]).toMatch(/^Unreleased\n/));

test("every version has the headings of Keep a Changelog, in order", () => {
  for (const version of versions) {
    const [, ...parts] = version.split(/^### /m);
    const headings = parts.map((part) => part.slice(0, part.indexOf("\n")));
    expect(headings).toEqual(HEADINGS.filter((heading) => headings.includes(heading)));
  }
});

test("every entry is one line that starts with a capital, has a command in backticks, and ends with a period", () => {
  expect(entries.filter((entry) => !/^- [A-Z][a-z]+[ ,].*`[^`]+`.*\.$/.test(entry))).toEqual([]);
  const other = CHANGELOG.split("\n").filter((line) => line !== "" && !/^(?:#+ |- )/.test(line));
  expect(other.length).toBe(1);
});

test("every entry starts with a verb, not with an article, a pronoun, or a question word", () => {
  const NOT_VERBS =
    /^- (?:The|A|An|It|Its|This|That|What|Where|When|Who|How|No|Nobody|Every|All|Any|Many|On|In|After|Before) /;
  expect(entries.filter((entry) => NOT_VERBS.test(entry))).toEqual([]);
});

test("no entry occurs twice", () =>
  expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]));

test("the changelog has at most 150 lines", () =>
  expect(CHANGELOG.trimEnd().split("\n").length).toBeLessThanOrEqual(150));
