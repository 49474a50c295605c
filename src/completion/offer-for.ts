import { DAILY } from "./aliases.ts";
import { offerValue, type Sources } from "./offer-value.ts";
import { flagsOfTypedLine, readTypedLine, type TypedLine } from "./typed-line.ts";
import type { CommandWords, FlagWords, Offer, Value, Words } from "./words.ts";

const NOTHING: Offer = { kind: "words", candidates: [] };

/** Returns the completions of a line. @param typed the words after `relayctl`; the last is being typed */
export async function offerFor(typed: readonly string[], words: Words, sources: Sources): Promise<Offer> {
  const current = typed.at(-1) ?? "";
  const line = readTypedLine(typed.slice(0, -1), words);
  const { command, waiting, open } = line;
  const buildOffer = (value: Value | undefined, begun: string) =>
    value === undefined ? NOTHING : offerValue(value, begun, { words, line, sources });
  if (waiting) return await buildOffer(waiting.value, current);
  if (!command) return NOTHING;
  if (line.helps) return offerNames(command, words, words.topics);
  if (!line.ended && current.startsWith("-")) return await afterDash(current, line, command, words, buildOffer);
  if (open) return await buildOffer(open.value, current);
  if (command.commands.length > 0) return offerNames(command, words, [HELP]);
  const argument = command.args[line.args.length] ?? (command.many ? command.args.at(-1) : undefined);
  if (argument === undefined) return offerFlags(line, command.flags);
  const offer = await buildOffer(argument, current);
  return command.many
    ? { kind: offer.kind, candidates: offer.candidates.filter(({ word }) => !line.args.includes(word)) }
    : offer;
}

interface Named {
  name: string;
  summary: string;
}

const HELP: Named = { name: "help", summary: "Show help for a command or a topic" };

const DAILY_WORDS: readonly Named[] = [...DAILY].map(([name, words]) => ({
  name,
  summary: `Short for ${words.join(" ")}`,
}));

function offerNames(command: CommandWords, { program }: Words, others: readonly Named[]): Offer {
  const named = command === program ? [...DAILY_WORDS, ...command.commands, ...others] : command.commands;
  return { kind: "words", candidates: named.map(({ name, summary }) => ({ word: name, summary })) };
}

/** Completes `--output=js` as one word, like the shell. */
async function afterDash(
  current: string,
  line: TypedLine,
  command: CommandWords,
  { program }: Words,
  offerOf: (value: Value | undefined, begun: string) => Offer | Promise<Offer>,
): Promise<Offer> {
  const known = flagsOfTypedLine(command, program);
  const [, name, begun = ""] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (name === undefined)
    return offerFlags(
      line,
      known.filter(({ names }) => !names.some((name) => command.lacks?.includes(name))),
    );
  const offer = await offerOf(known.find(({ names }) => names.includes(name))?.value, begun);
  return { ...offer, candidates: offer.candidates.map((found) => ({ ...found, word: `${name}=${found.word}` })) };
}

function offerFlags(line: TypedLine, known: readonly FlagWords[]): Offer {
  const typed = new Set(line.flags.flatMap(({ flag }) => (flag.repeats ? [] : flag.names.map(withoutNo))));
  const left = known.filter(({ names }) => !names.some((name) => typed.has(withoutNo(name))));
  return { kind: "words", candidates: left.map(({ names, summary }) => ({ word: names.at(-1) ?? "", summary })) };
}

function withoutNo(name: string): string {
  return name.replace(/^--no-/, "--");
}
