import { allCommands } from "../../src/cli/all-commands.ts";
import { usesService } from "../../src/cli/request-flags.ts";
import { cli } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { SURROUNDINGS } from "./example-surroundings.ts";
import { typed } from "./typed-examples.ts";

const DESCRIBED: {
  command: string;
  flags: { names: string[]; type: string; required?: boolean; description: string }[];
}[] = JSON.parse((await cli("help --json")).stdout).commands;
const FLAGS = new Map(DESCRIBED.map(({ command, flags }) => [command, flags]));

const hasName = (names: readonly string[], word: string) =>
  names.some((name) => word === name || word.startsWith(`${name}=`));

const EXAMPLES = (await allCommands()).flatMap(([path, file]) =>
  file.examples.map((example) => ({ path, file, example, ...typed(example) })),
);

/** Each flag of each example that is typed there once, with the words of the example without it. */
const CASES = EXAMPLES.flatMap((each) =>
  each.argv.flatMap((word, at) => {
    const flag = FLAGS.get(each.path)?.find(({ names }) => names.includes(word));
    if (!flag || each.argv.indexOf(word) !== each.argv.lastIndexOf(word)) return [];
    const taken = flag.type === "boolean" ? 1 : 2;
    return [{ ...each, word, flag, without: each.argv.filter((_, index) => index < at || index >= at + taken) }];
  }),
);

/** Returns what an example without one of its flags prints as an error; empty if it succeeds. */
async function errorWithout({ path, file, example, without, input }: (typeof CASES)[number]): Promise<string> {
  const world = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
  const stdin = input === undefined ? {} : { stdin: world.files?.[input] ?? "" };
  const words = [...without, ...(usesService(file.sends) ? ["--demo"] : [])];
  const { exitCode, stderr } = await cli(words, { env: {}, ...stdin, ...world, terminal: false });
  return exitCode === 2 ? stderr : "";
}

const isBodyFile = (word: string) => word === "-f" || word === "--file";
const REQUIRED = DESCRIBED.flatMap(({ command, flags }) =>
  flags.filter(({ required }) => required).map((flag) => ({ command, flag })),
);

test("no example lacks a flag that help calls required, unless a file has it", () => {
  const lacking = EXAMPLES.flatMap(({ path, example, argv }) =>
    REQUIRED.filter(({ command, flag: { names } }) => command === path && !argv.some((word) => hasName(names, word)))
      .filter(() => !argv.some(isBodyFile))
      .map(({ flag }) => `${example}: ${flag.names.join(", ")}`),
  );
  expect(REQUIRED.length).toBeGreaterThan(15);
  expect(lacking).toEqual([]);
});

const cases = CASES.filter(({ path }) => !["top", "mcp", "webhooks listen"].includes(path));
test.each(sampled(cases, 5).map((each) => [each.example, each.word, each] as const))(
  "an example without one of its flags, %s, fails for %s only if help calls it required",
  async (_, word, each) => {
    const error = await errorWithout(each);
    const { required, description } = each.flag;
    if (required) expect(error).toContain(word);
    // Each type of signer has its own; the page marks those that are optional.
    else if (new RegExp(`${word}: is required(?! for a signer)`).test(error)) expect(description).toContain("required");
  },
);
