import type { Words } from "./words.ts";

/** The build replaces this file with the result of `cli/completion-words.ts`. */
export const shippedWords: Words = {
  program: { name: "relayctl", summary: "", commands: [], flags: [], args: [] },
  topics: [],
  fields: {},
  meanings: {},
  policies: [],
};
