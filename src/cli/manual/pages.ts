import type { AnyCommand } from "../../commands/command.ts";
import type { CommandSyntax } from "../../commands/flags/syntax.ts";
import { VERSION } from "../../version.ts";
import { commandsOf } from "../all-commands.ts";
import { build } from "../command-words.ts";
import { factsOf } from "../help/command-facts.ts";
import { commandPage, groupPage } from "../help/command-page.ts";
import { namesOf } from "../help/help-of.ts";
import { programPage } from "../help/program-page.ts";
import { TOPICS } from "../help/topics.ts";
import { commandAt } from "../parsing/argv.ts";
import { type Branch, TREE } from "../tree.ts";
import { type ManualPage, type ManualPart, roff } from "./roff.ts";

/** Returns every man page by file name: one for the program with its topics, and one for each noun with its verbs. */
export async function manualPages(): Promise<Record<string, string>> {
  const nouns = await Promise.all(Object.entries(TREE).map(([noun, branch]) => nounPage(noun, branch)));
  const pages = [await mainPage(), ...nouns];
  return Object.fromEntries(pages.map((page) => [`${page.name}.1`, roff(page, VERSION)]));
}

const MAIN = "relayctl";

async function mainPage(): Promise<ManualPage> {
  const { program } = await build([]);
  return {
    name: MAIN,
    summary: program.about,
    blocks: programPage(),
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

async function nounPage(noun: string, branch: Branch): Promise<ManualPage> {
  const { program, files } = await build([noun]);
  const command = commandAt(program, [noun]);
  const page = { name: `${MAIN}-${noun}`, summary: branch.summary, see: [MAIN] };
  if (!("verbs" in branch))
    return { ...page, blocks: commandPage(command, factsOf(await branch.command())), parts: [] };
  const verbs = (await commandsOf(branch.verbs)).map(([verb, file]) => [verb, factsOf(file)] as const);
  const parts = command.commands.flatMap((verb) => listParts(verb, files.get(verb)));
  return { ...page, blocks: groupPage(command, verbs, branch.bare), parts };
}

function listParts(command: CommandSyntax, file: AnyCommand | undefined): ManualPart[] {
  return file ? [{ title: [MAIN, ...namesOf(command)].join(" "), blocks: commandPage(command, factsOf(file)) }] : [];
}
