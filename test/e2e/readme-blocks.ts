import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./relayctl.ts";

export const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** A fenced block. */
export interface Block {
  language: string;
  text: string;
}

/** A command as a reader types it, and what a terminal shows after it. */
export interface Session {
  command: string;
  shown: string;
}

const FENCED = /^```(\w*)\n(.*?)^```$/gms;

export function blocks(language?: string): Block[] {
  const all = [...README.matchAll(FENCED)].map(([, language = "", text = ""]) => ({ language, text }));
  return language === undefined ? all : all.filter((block) => block.language === language);
}

/** The commands of the `console` blocks, which begin with `$ `, each with what follows it. */
export function sessions(): Session[] {
  return blocks("console").flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = ""] = /^.*(?:\\\n.*)*/.exec(part) ?? [];
        return { command, shown: part.slice(command.length + 1).trimEnd() };
      }),
  );
}

/** Commands of relayctl in running text, and those that a workflow file runs. In a table a pipe leads into another shell. */
export function looseCommands(): string[] {
  const inline = [...README.replaceAll(FENCED, "").matchAll(/`(relayctl [^`]+?)(?: \\\|[^`]*)?`/g)].map(
    ([, command = ""]) => command,
  );
  const steps = blocks("yaml").flatMap(({ text }) =>
    [...text.matchAll(/^ *(?:- )?(?:run: )?(relayctl .*)$/gm)].map(([, command = ""]) => command),
  );
  return [...inline, ...steps];
}

/** A pattern of what is shown: a line of `…` stands for any lines, and `…` within a line for the rest of a word. */
export function patternOf(shown: string): RegExp {
  const escaped = shown.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const anyLines = escaped.replace(/^…$/gm, "[^]*");
  return new RegExp(`^${anyLines.replaceAll("…", "\\S*")}\\s*$`);
}
