import { type Request, splitByShell } from "./request.ts";

/** Separates word and summary with a tab; fish itself filters, quotes, and aligns. */
export function fishRequest([before]: readonly string[], words: readonly string[]): Request {
  return {
    words: splitByShell(before, words),
    print: ({ kind, candidates }) => [
      kind,
      ...candidates.map(({ word, summary }) => (summary ? `${word}\t${summary}` : word)),
    ],
  };
}
