import { type Request, splitByShell } from "./request.ts";

/** Formats for `_describe`: a colon separates word and summary; zsh itself filters, quotes, and aligns. */
export function zshRequest([before]: readonly string[], words: readonly string[]): Request {
  return {
    words: splitByShell(before, words),
    print: ({ kind, candidates }) => [
      kind,
      ...candidates.map(({ word, summary }) => escaped(word) + (summary ? `:${escaped(summary)}` : "")),
    ],
  };
}

function escaped(text: string): string {
  return text.replace(/[\\:]/g, "\\$&");
}
