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

/** The words of every day, which stand for a noun and its verb. */
export const DAILY: Readonly<Record<string, readonly [noun: string, verb: string]>> = {
  status: ["relayers", "status"],
  stuck: ["tx", "stuck"],
  wait: ["tx", "wait"],
  bump: ["tx", "bump"],
  unstick: ["relayers", "unstick"],
  login: ["auth", "login"],
  logout: ["auth", "logout"],
};

export function dailyOf(word: string): readonly [noun: string, verb: string] | undefined {
  return Object.hasOwn(DAILY, word) ? DAILY[word] : undefined;
}

/** Words of other programs, and the commands that do what they do. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  config: ["context"],
  log: ["history", "webhooks listen"],
  logs: ["history", "webhooks listen"],
  ps: ["relayers list"],
  pay: ["tx send", "tx send-many"],
  resend: ["tx bump"],
  retry: ["tx bump"],
  speedup: ["tx bump"],
  "speed-up": ["tx bump"],
  search: ["find"],
  diff: ["drift", "plan"],
  whoami: ["auth status"],
};

/** Returns the commands that have a verb, or do what a word of another program does. */
export function commandsWith(word: string, { commands }: CommandWords): string[] {
  const having = commands.flatMap(({ name, commands: verbs }) => {
    const names = verbs.map((verb) => verb.name);
    return names.includes(verbOf(word, names)) ? [`${name} ${verbOf(word, names)}`] : [];
  });
  const meant = Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? []) : [];
  return [...new Set([...having, ...meant])];
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
  const daily = parent === program ? dailyOf(word) : undefined;
  if (daily) {
    const noun = parent.commands.find(({ name }) => name === daily[0]);
    return noun?.commands.find(({ name }) => name === daily[1]);
  }
  const names = parent.commands.map(({ name }) => name);
  const full = parent === program ? nounOf(word) : verbOf(word, names);
  return parent.commands.find(({ name }) => name === full);
}
