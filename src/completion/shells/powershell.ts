import { type Request, splitByShell } from "./request.ts";

/**
 * Separates the inserted text, the list entry, and the description with tabs.
 * @param cut the length of the current word's part that PowerShell keeps, e.g. the first part of `id,na`
 */
export function powershellRequest([before, cut]: readonly string[], typed: readonly string[]): Request {
  const words = splitByShell(before, typed);
  const begun = (words.at(-1) ?? "").toLowerCase();
  return {
    words,
    print: ({ kind, candidates }) => {
      const fitting = candidates.filter(({ word }) => word.toLowerCase().startsWith(begun));
      const lines = fitting.map(({ word, summary }) => [quoted(word.slice(Number(cut))), word, summary || word]);
      return [kind, ...lines.map((line) => line.join("\t"))];
    },
  };
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}
