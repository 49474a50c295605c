import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./relayctl.ts";

/** The documents whose commands a reader is meant to type. */
export const GUIDES = [
  "README.md",
  "docs/relayers.md",
  "docs/transactions.md",
  "docs/payouts.md",
  "docs/calls.md",
  "docs/doctor.md",
  "docs/fleet.md",
  "docs/scripting.md",
  "docs/configuration.md",
  "docs/completion.md",
  "docs/embedded-server.md",
  "docs/webhooks.md",
  "docs/library.md",
] as const;

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

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

export function blocksOf(path: string, language?: string): Block[] {
  const all = [...textOf(path).matchAll(FENCED)].map(([, name = "", text = ""]) => ({ language: name, text }));
  return language === undefined ? all : all.filter((block) => block.language === language);
}

/** Returns the commands of the `console` blocks, which begin with `$ `, each with the output below it. */
export function sessionsOf(path: string): Session[] {
  return blocksOf(path, "console").flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = ""] = /^.*(?:\\\n.*)*/.exec(part) ?? [];
        return { command, shown: part.slice(command.length + 1).trimEnd() };
      }),
  );
}

/** Returns the commands in running text and in workflow steps. In a table, a pipe leads into another shell. */
export function looseCommandsOf(path: string): string[] {
  const text = textOf(path).replaceAll(FENCED, "");
  const inline = [...text.matchAll(/`(relayctl [^`]+?)(?: \\\|[^`]*)?`/g)].map(([, command = ""]) => command);
  const steps = blocksOf(path, "yaml").flatMap((block) =>
    [...block.text.matchAll(/^ *(?:- )?(?:run: )?(relayctl .*)$/gm)].map(([, command = ""]) => command),
  );
  return [...inline, ...steps];
}

/**
 * Returns a pattern for shown output: a line of `…` stands for any lines, and `…` in a line for the rest of a word, whose length also
 * moves the columns of its line.
 */
export function patternOf(shown: string): RegExp {
  const escaped = shown.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const anyLines = escaped.replace(/^…$/gm, "[^]*");
  const anyColumns = anyLines.replace(/^.*….*$/gm, (line) => line.replaceAll(/(?<=\S) {2,}/g, " {2,}"));
  return new RegExp(`^${anyColumns.replaceAll("…", "\\S*")}\\s*$`);
}
