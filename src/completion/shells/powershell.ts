import { type Request, splitByShell } from "./request.ts";

/**
 * A tab separates what is inserted, what is shown in the list, and what is told of it.
 * @param cut how much of the word that is being typed PowerShell leaves alone, as the first part of `id,na`
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
