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

/** Words of other programs, by a verb of each noun that has it, or by a whole command. */
const SYNONYMS: readonly (readonly [command: string, words: string])[] = [
  ["get", "show view describe inspect"],
  ["create", "new add"],
  ["update", "patch modify"],
  ["delete", "remove"],
  ["context", "config"],
  ["context use", "switch"],
  ["auth login", "init setup"],
  ["auth status", "whoami"],
  ["history", "log logs"],
  ["webhooks listen", "log logs tail forward"],
  ["webhooks test", "trigger"],
  ["webhooks replay", "resend"],
  ["relayers list", "ps"],
  ["relayers status", "info watch"],
  ["relayers balance", "balances"],
  ["relayers pause", "stop disable suspend"],
  ["relayers resume", "start enable unpause"],
  ["tx list", "queue pending"],
  ["tx wait", "watch follow"],
  ["tx send", "pay transfer"],
  ["tx send-many", "pay"],
  ["tx bump", "resend retry rerun speedup speed-up accelerate"],
  ["tx cancel", "abort kill"],
  ["plugins call", "run exec"],
  ["server health", "ping"],
  ["topup", "fund"],
  ["spend", "cost costs fees"],
  ["audit", "nonce nonces"],
  ["find", "search"],
  ["drift", "diff"],
  ["undo", "rollback"],
];

export function commandsForAlias(word: string, { commands }: CommandWords): string[] {
  const meant = SYNONYMS.flatMap(([command, words]) => (words.split(" ").includes(word) ? [command] : []));
  const having = commands.flatMap(({ name, commands: verbs }) => {
    const names = verbs.map((verb) => verb.name);
    return names
      .filter((verb) => verb === verbOfAlias(word, names) || meant.includes(verb))
      .map((verb) => `${name} ${verb}`);
  });
  return [...having, ...meant.filter((command) => !SHARED.includes(command))];
}

const SHARED = ["get", "create", "update", "delete"];

export function nounOfAlias(word: string): string {
  return Object.hasOwn(NOUNS, word) ? (NOUNS[word] ?? word) : word;
}

/** Returns the verb that a word stands for, or the word itself. @param verbs the verbs of its noun */
export function verbOfAlias(word: string, verbs: readonly string[]): string {
  const verb = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  return verb !== undefined && verbs.includes(verb) ? verb : word;
}

export function commandByAlias(parent: CommandWords, word: string, program: CommandWords): CommandWords | undefined {
  const daily = parent === program ? DAILY.get(word) : undefined;
  if (daily) {
    const noun = parent.commands.find(({ name }) => name === daily[0]);
    return noun?.commands.find(({ name }) => name === daily[1]);
  }
  const names = parent.commands.map(({ name }) => name);
  const full = parent === program ? nounOfAlias(word) : verbOfAlias(word, names);
  return parent.commands.find(({ name }) => name === full);
}
