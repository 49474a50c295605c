import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./relayctl.ts";

/** The documents whose commands a reader is meant to type. */
export const GUIDES = [
  "README.md",
  "docs/start/get-started.md",
  "docs/guides/relayers.md",
  "docs/guides/monitoring.md",
  "docs/guides/alerts.md",
  "docs/guides/sending.md",
  "docs/guides/incidents.md",
  "docs/guides/money.md",
  "docs/guides/payouts.md",
  "docs/guides/calls.md",
  "docs/reference/doctor.md",
  "docs/guides/fleet.md",
  "docs/guides/scripting.md",
  "docs/guides/ci.md",
  "docs/guides/agents.md",
  "docs/reference/configuration.md",
  "docs/reference/output.md",
  "docs/guides/embedded-server.md",
  "docs/guides/webhooks.md",
  "docs/guides/library.md",
  "docs/guides/journal.md",
] as const;

export interface Block {
  language: string;
  text: string;
}

const FENCED = /^```(\w*)\n(.*?)^```$/gms;

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

export function blocksOf(path: string, language?: string): Block[] {
  const all = [...textOf(path).matchAll(FENCED)].map(([, name = "", text = ""]) => ({ language: name, text }));
  return language === undefined ? all : all.filter((block) => block.language === language);
}

/** Something that a document has its reader type, in the order of the page. */
export type Step = { line: string; shown?: string };

/**
 * Returns what a document's reader types, from top to bottom: `$ ` lines of `console` blocks with their output, `sh` blocks, steps of
 * workflows, and commands in running text, where a pipe in a table leads into another shell.
 */
export function stepsOf(path: string): Step[] {
  const text = textOf(path);
  const fenced = [...text.matchAll(FENCED)].map((match) => ({ at: match.index, steps: stepsIn(match[1], match[2]) }));
  const running = text.replaceAll(FENCED, (block) => " ".repeat(block.length));
  const inline = [...running.matchAll(/`(relayctl [^`]+?)(?: \\\|[^`]*)?`/g)].map(({ index, 1: line = "" }) => ({
    at: index,
    steps: [{ line }],
  }));
  return [...fenced, ...inline].sort((one, other) => one.at - other.at).flatMap(({ steps }) => steps);
}

/** A line that only reads or says what it would do, and needs neither a shell nor what an earlier line of its document left. */
const PLAIN_READ =
  /^relayctl (?:(?:--demo )?(?:find|help|relayers (?:list|status|balance|rpc|get)|tx (?:list|get|wait|stuck)|webhooks events|completion|server ready)\b|.* (?:--help|--dry-run)\b)(?!.*\\$)/;
const NEEDS_MORE = /[@<>|;&$]|--context|--diff|--out| -f | - |eth-new|ops-hook|\.json|\.key/;

/** Splits a step into the lines that can run without a process, and the rest, which is empty if there is no further command. */
export function splitStep({ line, shown }: Step): { plain: string[]; rest: string } {
  if (shown !== undefined) return { plain: [], rest: line };
  const lines = line
    .replaceAll(/ \\\n */g, " ")
    .replaceAll(/ +# .*$/gm, "")
    .trim()
    .split("\n");
  const isPlain = (each: string) => PLAIN_READ.test(each) && !NEEDS_MORE.test(each);
  return { plain: lines.filter(isPlain), rest: lines.filter((each) => !isPlain(each)).join("\n") };
}

function stepsIn(language = "", text = ""): Step[] {
  if (language === "sh") return [{ line: text }];
  if (language === "console") return sessionsIn(text);
  if (language !== "yaml") return [];
  return [...text.matchAll(/^ *(?:- )?(?:run: )?(relayctl .*)$/gm)].map(([, line = ""]) => ({ line }));
}

function sessionsIn(text: string): Step[] {
  const parts = text.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [line = ""] = /^.*(?:\\\n.*)*/.exec(part) ?? [];
    return { line, shown: part.slice(line.length + 1).trimEnd() };
  });
}

/** Returns a pattern for shown output: a line of `…` stands for any lines, and `…` in a line for the rest of a word. */
export function patternOf(shown: string): RegExp {
  const escaped = shown.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const anyLines = escaped.replace(/^…$/gm, "[^]*");
  const anyColumns = anyLines.replace(/^.*….*$/gm, (line) => line.replaceAll(/(?<=\S) {2,}/g, " {2,}"));
  return new RegExp(`^${anyColumns.replaceAll("…", "\\S*")}\\s*$`);
}
