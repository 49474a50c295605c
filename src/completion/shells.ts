import type { Offer } from "./words.ts";

export interface Request {
  /** The words after `relayctl`, including the one being typed. */
  words: readonly string[];
  /** The first line is the kind of the offer. */
  print(offer: Offer): readonly string[];
}

/** Returns words as the shell split and unquoted them. @param before how many precede the current one */
function splitByShell(before: string | undefined, words: readonly string[]): readonly string[] {
  return words.length > Number(before) ? words : [...words, ""];
}

/** Values of `COMP_TYPE` for which bash inserts the words, so that no summary may follow them. */
const INSERTING = ["37", "42"];

/** Reads bash's `COMP_TYPE`, columns, `COMP_WORDBREAKS`, and the line, which bash would split at `=` and `:`. */
function bashRequest(
  [type = "", columns = "", breaks = ""]: readonly string[],
  [text = ""]: readonly string[],
): Request {
  const line = splitShellLine(text, breaks);
  const width = Number(columns) || 80;
  return {
    words: line.words.slice(1),
    print: (offer) => bashLines(offer, line, INSERTING.includes(type) ? undefined : width),
  };
}

/** @param width the terminal's width; undefined for words without descriptions */
function bashLines({ kind, candidates }: Offer, line: SplitLine, width: number | undefined): string[] {
  const begun = line.words.at(-1) ?? "";
  const fitting = candidates.filter(({ word }) => word.startsWith(begun));
  const replacing = fitting.map(({ word, summary }) => ({
    word: bashQuoted(word.slice(line.kept), line.quote),
    summary,
  }));
  const isDescribed = width !== undefined && fitting.length > 1 && fitting.every(({ word }) => !word.startsWith("-"));
  return [kind, ...(isDescribed ? bashAligned(replacing, width) : replacing.map(({ word }) => word))];
}

function bashQuoted(word: string, quote: SplitLine["quote"]): string {
  if (quote === "'") return word.replaceAll("'", `'\\''`);
  if (quote === '"') return word.replace(/["$`\\]/g, "\\$&");
  return word.replace(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/g, "\\$&");
}

/** Adds summaries after the words. bash only completes as far as all lines agree. */
function bashAligned(candidates: readonly { word: string; summary: string | undefined }[], width: number): string[] {
  const longest = candidates.reduce((most, { word }) => Math.max(most, word.length), 0);
  const room = width - longest - "  ()".length - 1;
  return candidates.map(({ word, summary }) => {
    if (!summary || room < 8) return word;
    const shown = summary.length > room ? `${summary.slice(0, room - 1)}…` : summary;
    return `${word.padEnd(longest)}  (${shown})`;
  });
}

/** Separates word and summary with a tab; fish and the zsh script filter, quote, and align. */
function tabRequest([before]: readonly string[], words: readonly string[]): Request {
  return {
    words: splitByShell(before, words),
    print: ({ kind, candidates }) => [
      kind,
      ...candidates.map(({ word, summary }) => (summary ? `${word}\t${summary}` : word)),
    ],
  };
}

/** Separates text, list entry, and description with tabs. @param cut what PowerShell keeps of a word */
function powershellRequest([before, cut]: readonly string[], typed: readonly string[]): Request {
  const words = splitByShell(before, typed);
  const begun = (words.at(-1) ?? "").toLowerCase();
  return {
    words,
    print: ({ kind, candidates }) => {
      const fitting = candidates.filter(({ word }) => word.toLowerCase().startsWith(begun));
      const lines = fitting.map(({ word, summary }) => [
        powershellQuoted(word.slice(Number(cut))),
        word,
        summary || word,
      ]);
      return [kind, ...lines.map((line) => line.join("\t"))];
    },
  };
}

function powershellQuoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type CompletionShell = (typeof SHELLS)[number];

const READERS: Record<CompletionShell, (facts: readonly string[], words: readonly string[]) => Request> = {
  bash: bashRequest,
  zsh: tabRequest,
  fish: tabRequest,
  powershell: powershellRequest,
};

/** Parses the arguments from a script: `<shell> <its facts…> -- <words…>`. Returns undefined for an unknown shell. */
export function parseShellRequest(argv: readonly string[]): Request | undefined {
  const shell = SHELLS.find((shell) => shell === argv[0]);
  const end = argv.indexOf("--");
  return shell && READERS[shell](argv.slice(1, end), argv.slice(end + 1));
}

/** A bash line up to the cursor, in words as the shell would pass them. */
interface SplitLine {
  words: string[];
  quote: "" | "'" | '"';
  /** The length of the last word's part that bash keeps: it replaces the rest. */
  kept: number;
}

interface State extends SplitLine {
  /** Whether a word has begun, possibly an empty quoted one. */
  begun: boolean;
}

/** Splits without expansions. @param breaks bash's `COMP_WORDBREAKS`, the last of which begins a completion */
export function splitShellLine(line: string, breaks: string): SplitLine {
  const state: State = { words: [""], quote: "", kept: 0, begun: false };
  for (const [part] of line.matchAll(/\\.?|./gs)) {
    if (!part.startsWith("\\")) takeCharacter(state, part, breaks);
    else if (state.quote !== "'") appendText(state, part.slice(1));
    // Within single quotes a backslash is literal.
    else for (const character of part) takeCharacter(state, character, breaks);
  }
  const { words, quote, kept } = state;
  return { words, quote, kept };
}

function takeCharacter(state: State, character: string, breaks: string): void {
  if (character === state.quote) state.quote = "";
  else if (state.quote !== "") appendText(state, character);
  else if (character === "'" || character === '"') openQuote(state, character);
  else if (/\s/.test(character)) endWord(state);
  else {
    appendText(state, character);
    if (breaks.includes(character)) state.kept = lastWord(state).length;
  }
}

function appendText(state: State, text: string): void {
  state.words[state.words.length - 1] = lastWord(state) + text;
  state.begun = true;
}

function openQuote(state: State, quote: SplitLine["quote"]): void {
  state.quote = quote;
  state.kept = lastWord(state).length;
  state.begun = true;
}

function endWord(state: State): void {
  if (state.begun) state.words.push("");
  state.begun = false;
  state.kept = 0;
}

function lastWord({ words }: State): string {
  return words.at(-1) ?? "";
}
