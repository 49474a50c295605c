import type { Words } from "./words.ts";

/** The build puts into the place of this file what `cli/completion-words.ts` reads from commander's tree. */
export const shippedWords: Words = {
  program: { name: "relayctl", summary: "", commands: [], flags: [], args: [] },
  topics: [],
  fields: {},
  policies: [],
};
