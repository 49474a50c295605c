import type { CommandSyntax, Flag } from "../../commands/command.ts";
import { DAILY, nounOfAlias, verbOfAlias } from "../../completion/aliases.ts";
import { idProblem } from "../../contract/id.ts";
import type { Problem } from "../../errors.ts";
import { USUAL_WATCH } from "../../timing.ts";
import { HIDDEN, TREE } from "../tree.ts";
import type { CommandSource } from "./command-source.ts";

/** Returns the first words that are neither flags nor values of the common flags: the noun and the verb. */
export function argvWords(argv: readonly string[], program: CommandSyntax, most = 2): string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length && words.length < most; index++) {
    const token = argv[index] ?? "";
    if (token === "--") break;
    if (!token.startsWith("-") || token === "-") words.push(token);
    else if (takesNext(program.flags, token)) index++;
  }
  return words;
}

/**
 * Returns the words with full nouns and verbs: `relayer ls` is `relayers list`, `stuck` is `tx stuck`, and a noun without a verb may stand for one of its
 * verbs, as in `history --since 24h`. Before its verb, a noun may only have common flags.
 */
export async function argvWithFullWords(...typed: Parameters<typeof withNames>): Promise<readonly string[]> {
  return withMoved(await withNames(...typed), typed[1]);
}

async function withNames(argv: readonly string[], program: CommandSyntax, { verbsOf }: Pick<CommandSource, "verbsOf">) {
  const first = wordIndex(argv, program, 0);
  const isHelp = argv[first] === "help";
  const at = isHelp ? wordIndex(argv, program, first + 1) : first;
  const daily = DAILY.get(argv[at] ?? "");
  if (daily) return withRenamedFlags([...argv.slice(0, at), ...daily, ...argv.slice(at + 1)], ...daily);
  const noun = nounOfAlias(argv[at] ?? "");
  const branch = Object.hasOwn(TREE, noun) ? TREE[noun] : undefined;
  if (!branch) return argv;
  const [before, after] = [[...argv.slice(0, at), noun], argv.slice(at + 1)];
  if (!("verbs" in branch)) return [...before, ...after];
  const next = wordIndex(argv, program, at + 1);
  const typed = argv[next];
  if (typed !== undefined && (!typed.startsWith("-") || HELP.includes(typed))) {
    const verb = verbOfAlias(typed, await verbsOf(noun));
    return withRenamedFlags([...before, ...argv.slice(at + 1, next), verb, ...argv.slice(next + 1)], noun, verb);
  }
  return branch.bare === undefined || isHelp ? [...before, ...after] : [...before, branch.bare, ...after];
}

/** The old names of commands, with the words that replace them. They work, and nothing shows them. */
const MOVED: ReadonlyMap<string, readonly string[]> = new Map([["history costs", ["spend", "--mine"]]]);

function withMoved(argv: readonly string[], program: CommandSyntax): readonly string[] {
  const first = wordIndex(argv, program, 0);
  const at = argv[first] === "help" ? wordIndex(argv, program, first + 1) : first;
  const end = wordIndex(argv, program, at + 1);
  const [noun, ...flags] = MOVED.get(`${argv[at]} ${argv[end]}`) ?? [];
  if (noun === undefined) return argv;
  return [...argv.slice(0, at), noun, ...argv.slice(at + 1, end), ...(at > first ? [] : flags), ...argv.slice(end + 1)];
}

const HELP = ["-h", "--help"];

function wordIndex(argv: readonly string[], { flags }: CommandSyntax, from: number): number {
  let index = from;
  while (index < argv.length && isOneOf(flags, argv[index] ?? "")) index += takesNext(flags, argv[index] ?? "") ? 2 : 1;
  return index;
}

function isOneOf(flags: readonly Flag[], token: string): boolean {
  const [name] = token.startsWith("--") ? token.split("=") : [token.slice(0, 2)];
  return token.startsWith("-") && flags.some(({ long, short }) => long === name || short === name);
}

/** Returns whether the next word is this flag's value: after `--output` and `-vo`, but not after `-ojson`. */
function takesNext(flags: readonly Flag[], token: string): boolean {
  const hasValue = (name: string) =>
    flags.some(({ long, short, takesValue }) => takesValue && (long === name || short === name));
  if (token.startsWith("--")) return hasValue(token);
  const first = [...token].findIndex((letter, index) => index > 0 && hasValue(`-${letter}`));
  return first > 0 && first === token.length - 1;
}

/** Returns the words with the default after a `--watch` that no duration follows. */
export function argvWithWatchTime(argv: readonly string[], { flags }: CommandSyntax): readonly string[] {
  const end = argv.indexOf("--");
  const at = (end < 0 ? argv : argv.slice(0, end)).indexOf("--watch");
  const takesTime = flags.some(({ long, takesValue }) => takesValue && long === "--watch");
  if (at < 0 || !takesTime || /^[0-9.]+[a-z]{0,2}$/.test(argv[at + 1] ?? "")) return argv;
  return [...argv.slice(0, at + 1), `${USUAL_WATCH / 1_000}s`, ...argv.slice(at + 1)];
}

/** Returns problems that commander accepts: a flag as another's value, and two readers of stdin. */
export function validateArgv(argv: readonly string[], commands: readonly CommandSyntax[]): Problem[] {
  const flags = commands.flatMap(({ flags }) => flags);
  const end = argv.indexOf("--");
  const tokens = end < 0 ? argv : argv.slice(0, end);
  return [...findSwallowed(tokens, flags), ...stdinTwice(tokens)];
}

function findSwallowed(tokens: readonly string[], flags: readonly Flag[]): Problem[] {
  return tokens.flatMap((token, index) => {
    const [next = ""] = (tokens[index + 1] ?? "").split("=");
    const isFlag = flags.some(({ long, short }) => next === long || next === short);
    if (!token.startsWith("-") || !takesNext(flags, token) || !isFlag) return [];
    return [
      { where: token, rule: `needs a value, but ${next} is a flag; to use it as the value, write ${token}=${next}` },
    ];
  });
}

const READS_STDIN = /^(?:-|@-|--[a-z-]+=-|-[a-z]-|[^=]+=(?:[^=]+=)?@-)$/;

function stdinTwice(tokens: readonly string[]): Problem[] {
  const readers = tokens.filter((token) => token.endsWith("-") && READS_STDIN.test(token));
  return readers.length < 2 ? [] : [{ where: "-", rule: "stdin can be read only once per command" }];
}

/** The flags that hold what others take as an argument. */
const LIKE_ARGUMENTS = ["--id", "--to", "--for", "--file", "--port"];

export function validateArgvArguments({ args = [], flags }: CommandSyntax, typed: readonly string[]): Problem[] {
  if (args.at(-1)?.name.includes("...")) return [];
  const known = args.map(({ name }) => `<${name.replaceAll(/[<>[\]]/g, "")}>`).join(" ");
  const meantFor = (given: string) => {
    const meant = flags.find(
      ({ long, choices }) => LIKE_ARGUMENTS.includes(long) && (choices ?? [given]).includes(given),
    );
    return meant ? `no arguments (did you mean ${meant.long}?)` : "no arguments";
  };
  return typed.slice(args.length).map((given) => ({
    where: "argument",
    given,
    rule:
      given === "true" || given === "false"
        ? (idProblem(given) ?? "")
        : `this command takes ${known || meantFor(given)}`,
  }));
}

/** Returns problems with a single-value flag given twice, or a flag next to its opposite: relayctl never guesses. */
export function validateArgvRepeated(counts: ReadonlyMap<Flag, number>): Problem[] {
  const typed = [...counts.keys()];
  return typed.flatMap((flag) => {
    const where = flag.long;
    const opposite = typed.find((other) => other.name === `no-${flag.name}`);
    return [
      ...((counts.get(flag) ?? 0) > 1 && flag.takesValue && !flag.adds && !flag.takesMany
        ? [{ where, rule: "specified twice" }]
        : []),
      ...(opposite ? [{ where, rule: `cannot be combined with ${opposite.long}` }] : []),
    ];
  });
}

/** An unknown noun is reported before flags; `--sort -name` is one word, since `-n` would be read as a common flag. */
export function argvForCommander(argv: readonly string[], [noun]: readonly string[]): string[] {
  const isKnown = noun === undefined || DAILY.has(noun) || [TREE, HIDDEN].some((words) => Object.hasOwn(words, noun));
  return isKnown ? withOrderJoined(argv) : [noun];
}

const DESCENDING = /^-[a-z]{2}/i;

function withOrderJoined(argv: readonly string[]): string[] {
  const at = argv.indexOf("--sort");
  const order = argv[at + 1] ?? "";
  if (at < 0 || argv.slice(0, at).includes("--") || !DESCENDING.test(order)) return [...argv];
  return [...argv.slice(0, at), `--sort=${order}`, ...withOrderJoined(argv.slice(at + 2))];
}

export function commandInArgv(program: CommandSyntax, [name, ...rest]: readonly string[]): CommandSyntax {
  const next = program.commands.find((command) => command.name === name);
  return next ? commandInArgv(next, rest) : program;
}

/** Hidden old names of flags, with the present one and its commands. */
const RENAMED: readonly (readonly [old: string, now: string, commands: readonly string[]])[] = [
  [
    "--kind",
    "--network-type",
    [
      ...["label delete", "relayers update", "tx build", "tx quote", "tx replace", "tx send"],
      ...["webhooks events", "webhooks test"],
    ],
  ],
  ["--max-fee", "--max-price", ["tx bump"]],
  ["--max-in-flight", "--concurrency", ["tx send-many"]],
];

function withRenamedFlags(argv: readonly string[], ...path: readonly string[]): readonly string[] {
  const [old = "", now] = RENAMED.find(([, , commands]) => commands.includes(path.join(" "))) ?? [];
  if (now === undefined) return argv;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const isOld = (word: string) => word === old || word.startsWith(`${old}=`);
  return argv.map((word, index) => (index < end && isOld(word) ? now + word.slice(old.length) : word));
}
