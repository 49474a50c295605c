import type { CommandWords } from "./words.ts";

/** Short and singular forms of nouns. */
const NOUNS: Readonly<Record<string, string>> = {
  relayer: "relayers",
  transaction: "tx",
  transactions: "tx",
  notification: "notifications",
  webhook: "webhooks",
  signer: "signers",
  network: "networks",
  plugin: "plugins",
  contexts: "context",
  ctx: "context",
  labels: "label",
};

const VERBS: Readonly<Record<string, string>> = { ls: "list", rm: "delete" };

export function nounOf(word: string): string {
  return Object.hasOwn(NOUNS, word) ? (NOUNS[word] ?? word) : word;
}

/** Returns the verb that a word stands for, or the word itself. @param verbs the verbs of its noun */
export function verbOf(word: string, verbs: readonly string[]): string {
  const verb = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  return verb !== undefined && verbs.includes(verb) ? verb : word;
}

export function commandBelow(parent: CommandWords, word: string, program: CommandWords): CommandWords | undefined {
  const names = parent.commands.map(({ name }) => name);
  const full = parent === program ? nounOf(word) : verbOf(word, names);
  return parent.commands.find(({ name }) => name === full);
}
