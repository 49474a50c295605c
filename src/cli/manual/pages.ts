import type { CommandSyntax } from "../../commands/command.ts";
import { VERSION } from "../../version.ts";
import { commandsOf } from "../all-commands.ts";
import { buildCommandWords } from "../command-words.ts";
import { type Block, helpCodeLines, type Row } from "../help/block.ts";
import { commandFacts } from "../help/command-facts.ts";
import { commandPage, groupPage } from "../help/command-page.ts";
import { namesInHelp } from "../help/help-of.ts";
import { programPage } from "../help/program-page.ts";
import { TOPICS } from "../help/topics.ts";
import { commandInArgv } from "../parsing/argv.ts";
import { type Branch, TREE } from "../tree.ts";

/** A man page is indented by seven columns. */
const CODE_WIDTH = 73;
/** No hyphenation and no justification, so that text can be pasted. */
const UNBROKEN = [".nh", ".ad l"];

type ManualPage = Awaited<ReturnType<typeof mainPage>>;

interface ManualPart {
  /** `relayctl relayers update` */
  title: string;
  blocks: readonly Block[];
}

function writeRoff({ name, summary, blocks, parts, see }: ManualPage, version: string): string {
  const lines = [
    `.TH ${quoteRoff(name.toUpperCase())} 1 "" ${quoteRoff(`relayctl ${version}`)} "relayctl"`,
    ...UNBROKEN,
    ...roffHeading("NAME"),
    `${escapeRoff(name)} \\- ${escapeRoff(summary)}`,
    ...blocks.flatMap((block) =>
      block.kind === "usage" ? [...roffHeading("SYNOPSIS"), ...roffUsage(block.text)] : [],
    ),
    ...roffHeading("DESCRIPTION"),
    ...bodyLines(blocks, roffHeading),
    ...parts.flatMap((part) => [...roffHeading(part.title), ...partLines(part)]),
    ...roffHeading("SEE ALSO"),
    ...see.map((other, index) => `.BR ${escapeRoff(other)} (1)${index < see.length - 1 ? "," : ""}`),
  ];
  return `${lines.join("\n")}\n`;
}

function partLines({ blocks }: ManualPart): string[] {
  const typed = blocks.flatMap((block) => (block.kind === "usage" ? [".PP", ...roffUsage(block.text)] : []));
  return [...typed, ...bodyLines(blocks, (title) => [`.SS ${quoteRoff(title)}`])];
}

function roffUsage(text: string): string[] {
  return [`.B ${escapeRoff(text)}`];
}

function bodyLines(blocks: readonly Block[], head: Heading): string[] {
  return blocks
    .filter(({ kind }) => kind !== "usage")
    .flatMap((block, at, all) => [...(isNote(block, all[at - 1]) ? head("Notes") : []), ...blockLines(block, head)]);
}

function isNote({ kind }: Block, before: Block | undefined): boolean {
  return kind === "text" && before !== undefined && before.kind !== "text";
}

function blockLines(block: Block, head: Heading): string[] {
  switch (block.kind) {
    case "text":
      return block.text.split("\n\n").flatMap(roffParagraph);
    case "usage":
      return roffUsage(block.text);
    case "code":
      return [
        ...head(block.heading),
        ...roffVerbatim(block.lines.flatMap((line) => helpCodeLines(line, CODE_WIDTH).split("\n"))),
      ];
    case "sections":
      return block.sections.flatMap(({ heading: title, rows }) =>
        rows.length === 0 ? [] : [...head(title), ...rows.flatMap(({ term, text }) => roffItem(term, text))],
      );
    case "facts":
      return block.facts.flatMap(({ label, rows }) => [...head(label), ...factLines(rows)]);
  }
}

type Heading = (title: string) => string[];

function roffHeading(title: string): string[] {
  return [`.SH ${quoteRoff(title.toUpperCase())}`];
}

function roffParagraph(text: string): string[] {
  const lines = text.split("\n");
  return text.startsWith(" ") ? roffVerbatim(lines) : [".PP", ...lines.map(textLine)];
}

function roffVerbatim(lines: readonly string[]): string[] {
  return [".PP", ".EX", ...lines.map(textLine), ".EE"];
}

function factLines(rows: readonly Row[]): string[] {
  const alone = rows.every(({ text }) => text === "");
  return alone
    ? [textLine(rows.map(({ term }) => term).join(", "))]
    : rows.flatMap(({ term, text }) => roffItem(term, text));
}

function roffItem(term: string, text: string): string[] {
  return [".TP", `.B ${escapeRoff(term)}`, textLine(text)];
}

/** Escapes a line of text; a leading dot or quote would be a roff request. */
function textLine(text: string): string {
  const line = escapeRoff(text);
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

function quoteRoff(text: string): string {
  return `"${escapeRoff(text).replaceAll('"', '""')}"`;
}

/** Escapes text for roff: otherwise a hyphen or a backtick becomes a typographic character that cannot be pasted. */
function escapeRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/[^\x20-\x7e]|`/gu, (character) => `\\[u${hexCodePoint(character)}]`);
}

function hexCodePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

export async function manualPages(): Promise<Record<string, string>> {
  const nouns = await Promise.all(Object.entries(TREE).map(([noun, branch]) => nounPages(noun, branch)));
  const pages = [await mainPage(), ...nouns.flat()];
  return Object.fromEntries(pages.map((page) => [`${page.name}.1`, writeRoff(page, VERSION)]));
}

const MAIN = "relayctl";

async function mainPage() {
  const { program } = await buildCommandWords([]);
  return {
    name: MAIN,
    summary: program.about,
    blocks: programPage(program.commands),
    parts: await topicParts(program),
    see: Object.keys(TREE).map((noun) => `${MAIN}-${noun}`),
  };
}

async function topicParts(program: CommandSyntax): Promise<ManualPart[]> {
  const parts = Object.entries(TOPICS).map(async ([topic, { page }]) => ({
    title: `${MAIN} help ${topic}`,
    blocks: await (await page())(program),
  }));
  return await Promise.all(parts);
}

async function nounPages(noun: string, branch: Branch): Promise<ManualPage[]> {
  const { program, files } = await buildCommandWords([noun]);
  const command = commandInArgv(program, [noun]);
  const page = { name: `${MAIN}-${noun}`, summary: branch.summary, see: [MAIN], parts: [] };
  if (!("verbs" in branch)) return [{ ...page, blocks: commandPage(command, commandFacts(await branch.command())) }];
  const verbs = (await commandsOf(branch.verbs())).map(([verb, file]) => [verb, commandFacts(file)] as const);
  const pages = command.commands.flatMap((verb) => {
    const file = files.get(verb);
    if (!file) return [];
    const name = [MAIN, ...namesInHelp(verb)].join("-");
    const { summary } = commandFacts(file);
    return [{ name, summary, see: [page.name, MAIN], parts: [], blocks: commandPage(verb, commandFacts(file)) }];
  });
  const see = [MAIN, ...pages.map(({ name }) => name)];
  return [{ ...page, see, blocks: groupPage(command, verbs, branch.bare) }, ...pages];
}
