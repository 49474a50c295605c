import { readFileSync } from "node:fs";
import { cli } from "../helpers/cli.ts";
import { DOCUMENTS } from "./documents.ts";

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
