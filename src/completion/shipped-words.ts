import type { CommandWords, Words } from "./words.ts";

/** Reads a text that the build wrote down: `program`, `fields`, or the commands of a noun, by its name. */
export type ReadShipped = (name: string) => string;

/** Reads what the build wrote, with the names of each flag. */
export function parseShippedWords(text: string): unknown {
  const words = JSON.parse(text);
  nameFlags(words);
  if (words.program) nameFlags(words.program);
  return words;
}

/** Fills in what the build leaves out, once it is needed: `-o` and `--output` of `-o, --output <format>`. */
function nameFlags({ flags = [], commands = [] }: Partial<CommandWords>): void {
  for (const flag of flags) Object.setPrototypeOf(flag, NAMED);
  commands.forEach(nameFlags);
}

const NAMED = {
  get names() {
    return spelledNames(this);
  },
};

function spelledNames(flag: object): readonly string[] {
  return ("flags" in flag && String(flag.flags).match(/--?[A-Za-z][\w-]*/g)) || [];
}

function withoutFlagNames({ flags, commands, ...words }: CommandWords): object {
  return {
    ...words,
    commands: commands.map(withoutFlagNames),
    flags: flags.map(({ names, ...flag }) => {
      if (spelledNames(flag).join() !== names.join()) throw new Error(`a flag has other names: ${names.join()}`);
      return flag;
    }),
  };
}

interface ShippedProgram {
  program: Omit<CommandWords, "commands">;
  nouns: readonly Pick<CommandWords, "name" | "summary">[];
  topics: Words["topics"];
}

type ShippedFields = Pick<Words, "fields" | "meanings" | "policies">;

/** Splits the words into files, so that a line only reads the files that it needs. */
export function splitWords({ program: { commands, ...program }, topics, ...fields }: Words): Record<string, object> {
  const nouns = commands.map(({ name, summary }) => ({ name, summary }));
  return {
    program: { program: withoutFlagNames({ ...program, commands: [] }), nouns, topics },
    fields: fields satisfies ShippedFields,
    ...Object.fromEntries(commands.map((noun) => [noun.name, withoutFlagNames(noun)])),
  };
}

export function shippedNouns(read: ReadShipped): ShippedProgram["nouns"] {
  return (parseShippedWords(read("program")) as ShippedProgram).nouns;
}

/** Returns the words that the build wrote down. Each file is read when something in it is needed. */
export function shippedWords(read: ReadShipped): Words {
  const { program, nouns, topics } = parseShippedWords(read("program")) as ShippedProgram;
  const commands = nouns.map((noun) => loadLate(noun, NOUN, () => parseShippedWords(read(noun.name)) as CommandWords));
  return loadLate(
    { program: { ...program, commands }, topics },
    FIELDS,
    () => parseShippedWords(read("fields")) as ShippedFields,
  );
}

const NOUN = ["commands", "flags", "args", "lacks", "many", "resource"] as const;
const FIELDS = ["fields", "meanings", "policies"] as const;

/** Returns an object whose other members are read when the first of them is needed. */
function loadLate<T extends object, More extends object>(known: T, names: readonly (keyof More)[], read: () => More) {
  let found: More | undefined;
  const all = () => {
    found ??= read();
    return found;
  };
  const member = (name: keyof More) => ({ get: () => all()[name] });
  return Object.defineProperties(known, Object.fromEntries(names.map((name) => [name, member(name)]))) as T & More;
}
