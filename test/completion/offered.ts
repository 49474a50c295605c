import { completionWords } from "../../src/cli/completion-words.ts";
import { offerFor } from "../../src/completion/offer-for.ts";
import type { Sources } from "../../src/completion/offer-value.ts";
import { targetFlagsOfTypedLine } from "../../src/completion/typed-line.ts";
import type { Candidate, Offer } from "../../src/completion/words.ts";

/** All that can be typed, as the sources say it. */
export const words = await completionWords();

/** What a test finds out about the services and files of its world: each id says what it was looked up with. */
const sources: Sources = {
  contexts: async () => [{ word: "prod" }, { word: "staging" }],
  labels: async (kind) => [{ word: ["label", kind].filter(Boolean).join(" ") }],
  live: async (kind, line, relayer) => [
    { word: [kind, relayer, ...targetFlagsOfTypedLine(line)].filter(Boolean).join(" ") },
  ],
};

/** What is offered at the end of a line, which is split at its spaces. */
export async function offered(line: string): Promise<Offer> {
  return await offerFor(line.split(" ").slice(1), words, sources);
}

/** The offered words that begin with what is typed, as most shells show them. */
export async function fitting(line: string): Promise<string[]> {
  const begun = line.split(" ").at(-1) ?? "";
  const { candidates } = await offered(line);
  return candidates.map(({ word }: Candidate) => word).filter((word) => word.startsWith(begun));
}
