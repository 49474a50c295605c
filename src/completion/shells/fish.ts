import { type Request, splitByShell } from "./request.ts";

/** A tab separates word and summary; fish itself fits, quotes and aligns. */
export function fishRequest([before]: readonly string[], words: readonly string[]): Request {
  return {
    words: splitByShell(before, words),
    print: ({ kind, candidates }) => [
      kind,
      ...candidates.map(({ word, summary }) => (summary ? `${word}\t${summary}` : word)),
    ],
  };
}
