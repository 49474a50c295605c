import type { CommandWords } from "./words.ts";

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

/** The words of every day, which stand for a noun and its verb. */
export const DAILY: ReadonlyMap<string, readonly [noun: string, verb: string]> = new Map([
  ["status", ["relayers", "status"]],
  ["stuck", ["tx", "stuck"]],
  ["wait", ["tx", "wait"]],
  ["bump", ["tx", "bump"]],
  ["unstick", ["relayers", "unstick"]],
  ["login", ["auth", "login"]],
  ["logout", ["auth", "logout"]],
]);

const SYNONYMS: readonly (readonly [command: string, words: readonly string[]])[] = [
  ["context", ["config"]],
  ["history", ["log", "logs"]],
  ["webhooks listen", ["log", "logs"]],
  ["relayers list", ["ps"]],
  ["tx send", ["pay"]],
  ["tx send-many", ["pay"]],
  ["tx bump", ["resend", "retry", "speedup", "speed-up"]],
  ["find", ["search"]],
  ["drift", ["diff"]],
  ["auth status", ["whoami"]],
];

export function commandsWith(word: string, { commands }: CommandWords): string[] {
  const having = commands.flatMap(({ name, commands: verbs }) => {
    const names = verbs.map((verb) => verb.name);
    return names.includes(verbOf(word, names)) ? [`${name} ${verbOf(word, names)}`] : [];
  });
  return [...having, ...SYNONYMS.flatMap(([command, words]) => (words.includes(word) ? [command] : []))];
}

export function nounOf(word: string): string {
  return Object.hasOwn(NOUNS, word) ? (NOUNS[word] ?? word) : word;
}

/** Returns the verb that a word stands for, or the word itself. @param verbs the verbs of its noun */
export function verbOf(word: string, verbs: readonly string[]): string {
  const verb = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  return verb !== undefined && verbs.includes(verb) ? verb : word;
}

export function commandBelow(parent: CommandWords, word: string, program: CommandWords): CommandWords | undefined {
  const daily = parent === program ? DAILY.get(word) : undefined;
  if (daily) {
    const noun = parent.commands.find(({ name }) => name === daily[0]);
    return noun?.commands.find(({ name }) => name === daily[1]);
  }
  const names = parent.commands.map(({ name }) => name);
  const full = parent === program ? nounOf(word) : verbOf(word, names);
  return parent.commands.find(({ name }) => name === full);
}
