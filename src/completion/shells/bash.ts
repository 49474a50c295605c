import type { Offer } from "../offer.ts";
import { type SplitLine, splitLine } from "../split-line.ts";
import type { Request } from "./request.ts";

/** Values of `COMP_TYPE` for which bash inserts the words, so that no summary may follow them. */
const INSERTING = ["37", "42"];

/**
 * Parses the arguments from the bash script: `COMP_TYPE`, the terminal's width, `COMP_WORDBREAKS`, and the line up to
 * the cursor, which bash itself would split at `=` and `:`.
 */
export function bashRequest(
  [type = "", columns = "", breaks = ""]: readonly string[],
  [text = ""]: readonly string[],
): Request {
  const line = splitLine(text, breaks);
  const width = Number(columns) || 80;
  return {
    words: line.words.slice(1),
    print: (offer) => lines(offer, line, INSERTING.includes(type) ? undefined : width),
  };
}

/** @param width the terminal's width; undefined if words must stand alone */
function lines({ kind, candidates }: Offer, line: SplitLine, width: number | undefined): string[] {
  const begun = line.words.at(-1) ?? "";
  const fitting = candidates.filter(({ word }) => word.startsWith(begun));
  const replacing = fitting.map(({ word, summary }) => ({ word: quoted(word.slice(line.kept), line.quote), summary }));
  const isDescribed = width !== undefined && fitting.length > 1 && fitting.every(({ word }) => !word.startsWith("-"));
  return [kind, ...(isDescribed ? aligned(replacing, width) : replacing.map(({ word }) => word))];
}

function quoted(word: string, quote: SplitLine["quote"]): string {
  if (quote === "'") return word.replaceAll("'", `'\\''`);
  if (quote === '"') return word.replace(/["$`\\]/g, "\\$&");
  return word.replace(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/g, "\\$&");
}

/** Adds summaries after the words. bash shows the lines and completes only as far as all of them agree. */
function aligned(candidates: readonly { word: string; summary: string | undefined }[], width: number): string[] {
  const longest = candidates.reduce((most, { word }) => Math.max(most, word.length), 0);
  const room = width - longest - "  ()".length - 1;
  return candidates.map(({ word, summary }) => {
    if (!summary || room < 8) return word;
    const shown = summary.length > room ? `${summary.slice(0, room - 1)}…` : summary;
    return `${word.padEnd(longest)}  (${shown})`;
  });
}
