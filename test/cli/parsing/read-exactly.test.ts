import fc from "fast-check";
import { argvWords, commandInArgv } from "../../../src/cli/parsing/argv.ts";
import { loadedCommands } from "../../../src/cli/parsing/loaded-commands.ts";
import { parseLineExactly } from "../../../src/cli/parsing/parse-line.ts";
import { readWithCommander } from "../../../src/cli/parsing/read-with-commander.ts";
import type { LineReading } from "../../../src/cli/parsing/reading.ts";
import { buildProgram } from "../../../src/cli/program.ts";
import { TREE } from "../../../src/cli/tree.ts";
import type { CommandSyntax } from "../../../src/commands/command.ts";
import { runs } from "../../helpers/deep.ts";

/** The tree of each noun, with all its verbs. */
const trees = new Map<string, CommandSyntax>();

beforeAll(async () => {
  for (const noun of Object.keys(TREE)) trees.set(noun, (await buildProgram([noun], loadedCommands)).program);
});

/** What a reading says, comparable. */
function said({ args, valuesOf, counts, stopped }: LineReading, program: CommandSyntax, command: CommandSyntax) {
  if (stopped && stopped.why !== "argument") return { stopped };
  return {
    stopped,
    args,
    common: Object.entries(valuesOf(program)),
    flags: Object.entries(valuesOf(command)),
    counts: [...counts].map(([flag, times]) => [flag.long, times]),
  };
}

async function readTwice(noun: string, words: readonly string[]) {
  const program = trees.get(noun);
  if (!program) throw new Error(`there is no ${noun}`);
  const command = commandInArgv(program, argvWords(words, program));
  const exact = parseLineExactly(program, words);
  const full = await readWithCommander(program, words, command);
  return { exact: exact && said(exact, program, command), full: said(full, program, command) };
}

const VALUES = ["a", "r1", "id,name", "10", "json", "", "-", "x=y", "http://[::1]:1", "-5", "--", "-o", "list", "é"];

/** A word that could stand on a line of a noun: a verb, a flag in one of its spellings, a value, or nonsense. */
function wordOf(noun: CommandSyntax, program: CommandSyntax): fc.Arbitrary<string> {
  const flags = [program, noun, ...noun.commands].flatMap((command) => command.flags);
  const value = fc.constantFrom(...VALUES);
  const letters = flags.flatMap(({ short }) => short?.slice(1) ?? []);
  const group = fc.array(fc.constantFrom(...letters, "h", "Z", "5", "-", "="), { minLength: 1, maxLength: 4 });
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...flags.map(({ long }) => long)) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...flags), value).map(([{ long }, text]) => `${long}=${text}`) },
    { weight: 2, arbitrary: group.map((all) => `-${all.join("")}`) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...letters), value).map(([letter, text]) => `-${letter}${text}`) },
    { weight: 4, arbitrary: value },
    { weight: 1, arbitrary: fc.constantFrom("--help", "-h", "--nope", "--nope=1", "--=x", "help", "--version") },
    { weight: 1, arbitrary: fc.constantFrom(noun.name, ...noun.commands.map(({ name }) => name)) },
  );
}

describe("the exact reader", () => {
  test.each(Object.keys(TREE))("reads lines of %s as commander does, or leaves them to it", async (noun) => {
    const program = trees.get(noun) as CommandSyntax;
    const command = commandInArgv(program, [noun]);
    const verbs = command.commands.map(({ name }) => [name]);
    const start = fc.constantFrom(...(verbs.length > 0 ? verbs : [[]])).map((verb) => [noun, ...verb]);
    const line = fc.oneof(
      { weight: 5, arbitrary: fc.tuple(start, fc.array(wordOf(command, program), { maxLength: 6 })) },
      { weight: 1, arbitrary: fc.tuple(fc.constant([]), fc.array(wordOf(command, program), { maxLength: 6 })) },
    );
    const property = fc.asyncProperty(line, async ([first, more]) => {
      const { exact, full } = await readTwice(noun, [...first, ...more]);
      if (exact) expect(exact).toEqual(full);
    });
    await fc.assert(property, runs(10, 3_000));
  });

  test.each([
    "relayers list",
    "relayers list -o ndjson",
    "relayers list -ojson --where paused --where=!system_disabled --sort=-oldest --limit 10 -q",
    "-c prod relayers list --fields id,name --no-headers -o tsv",
    "relayers get r1 r2 --json",
    "relayers update r1 --paused --yes --policy gas_price_cap=80gwei",
    "tx list r1 --status pending -vv",
    "plan -f a.yaml b.yaml -o json",
    "relayers --help",
    "relayers list -h",
    "relayers lst",
    "relayers list --limt 3",
    "relayers get",
    "relayers list --limit",
  ])("reads %s itself", async (line) => {
    const words = line.split(" ");
    const noun = words.find((word) => Object.hasOwn(TREE, word)) ?? "";
    const { exact, full } = await readTwice(noun, words);
    expect(exact).toBeDefined();
    expect(exact).toEqual(full);
  });
});

test.each(["relayers -- list", "tx -q -- list r1"])("%s is a noun without its verb", async (line) => {
  const words = line.split(" ");
  const [noun = ""] = words;
  const program = trees.get(noun) as CommandSyntax;
  const command = commandInArgv(program, argvWords(words, program));
  const { stopped } = await readWithCommander(program, words, command);
  expect(stopped).toEqual({ why: "help", of: command, to: "err" });
});
