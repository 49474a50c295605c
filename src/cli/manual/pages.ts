import type { Command } from "commander";
import type { AnyCommand } from "../../commands/command.ts";
import { VERSION } from "../../version.ts";
import { commandsOf } from "../all-commands.ts";
import { commandPage } from "../help/command-page.ts";
import { groupPage } from "../help/group-page.ts";
import { namesOf } from "../help/help-of.ts";
import { programPage } from "../help/program-page.ts";
import { TOPICS } from "../help/topics.ts";
import { buildProgram, USUAL_WIDTHS } from "../program.ts";
import { type Branch, TREE } from "../tree.ts";
import { type ManualPage, roff } from "./roff.ts";

/** Every manual page by the name of its file: of the program, of each noun and command, and of each topic. */
export async function manualPages(): Promise<Record<string, string>> {
  const { program } = await build([]);
  const nouns = await Promise.all(Object.entries(TREE).map(([noun, branch]) => nounPages(noun, branch)));
  const pages = [mainPage(program), ...nouns.flat(), ...(await topicPages(program))];
  return Object.fromEntries(pages.map((page) => [`${page.name}.1`, roff(page, VERSION)]));
}

function build(argv: readonly string[]) {
  return buildProgram(argv, { out: "", err: "" }, USUAL_WIDTHS);
}

const topicNames = Object.keys(TOPICS).map((topic) => `relayctl-help-${topic}`);

function mainPage(program: Command): ManualPage {
  const nouns = Object.keys(TREE).map((noun) => `relayctl-${noun}`);
  return {
    name: "relayctl",
    summary: program.description(),
    blocks: programPage(),
    see: [...nouns, ...topicNames],
  };
}

/** A noun and its verbs, or the one command that it is. */
async function nounPages(noun: string, branch: Branch): Promise<ManualPage[]> {
  const { program, files } = await build([noun]);
  const own = program.commands.filter((command) => command.name() === noun);
  const commands = own.flatMap((command) => [command, ...command.commands]);
  const pages = commands.flatMap((command) => pageOf(command, files.get(command)));
  if (!("group" in branch)) return pages;
  const verbs = await commandsOf(await branch.group());
  const see = pages.map(({ name }) => name);
  return [
    ...own.map((command) => ({
      name: nameOf(command),
      summary: branch.summary,
      blocks: groupPage(command, verbs),
      see,
    })),
    ...pages,
  ];
}

function pageOf(command: Command, file: AnyCommand | undefined): ManualPage[] {
  if (!file) return [];
  const parent = command.parent ? [nameOf(command.parent)] : [];
  return [
    {
      name: nameOf(command),
      summary: file.summary,
      blocks: commandPage(command, file),
      see: [...parent, ...topicNames],
    },
  ];
}

function nameOf(command: Command): string {
  return ["relayctl", ...namesOf(command)].join("-");
}

async function topicPages(program: Command): Promise<ManualPage[]> {
  const pages = Object.entries(TOPICS).map(async ([topic, { summary, page }]) => {
    const blocks = await (await page())(program);
    return { name: `relayctl-help-${topic}`, summary, blocks, see: ["relayctl"] };
  });
  return await Promise.all(pages);
}
