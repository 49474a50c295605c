import { allCommands } from "../../src/cli/all-commands.ts";
import { sendsRequest } from "../../src/cli/request-flags.ts";
import { cli, exits } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { pageReply } from "../helpers/service/reply.ts";
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
  const words = [...without, ...(sendsRequest(file.sends) ? ["--demo"] : [])];
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
test.each(sampled(cases, 10).map((each) => [each.example, each.word, each] as const))(
  "an example without one of its flags, %s, fails for %s only if help calls it required",
  async (_, word, each) => {
    const error = await errorWithout(each);
    const { required, description } = each.flag;
    if (required) expect(error).toContain(word);
    // Each type of signer has its own; the page marks those that are optional.
    else if (new RegExp(`${word}: is required(?! for a signer)`).test(error)) expect(description).toContain("required");
  },
);

describe("examples of --where", () => {
  /** The commands whose help shows conditions for `--where`. */
  const COMMANDS = [
    "relayers list",
    "networks list",
    "notifications list",
    "plugins list",
    "signers list",
    "tx list eth-main-1",
  ];

  test.each(COMMANDS)("each condition in the help of %s is one that it accepts", async (line) => {
    const { stdout } = await cli(`${line.split(" ").slice(0, 2).join(" ")} --help`);
    const [, text = ""] =
      /--where CONDITION +(?:[^(]*?)e\.g\. ([^(]*)\(repeatable/.exec(stdout.replaceAll(/\s+/g, " ")) ?? [];
    const conditions = text.trim().split(/, | (?=!)/);
    expect(conditions.length).toBeGreaterThan(0);
    for (const condition of conditions) {
      const { exitCode, stderr } = await cli([...line.split(" "), "--demo", "--where", condition, "-o", "json"]);
      expect([condition, exitCode, stderr.includes("error")]).toEqual([condition, 0, false]);
    }
  });
});

describe("what a table shows can be requested", () => {
  test("relayers by their state", async () => {
    expect((await cli("relayers list --where state=paused -o name")).stdout).toBe("eth-main-2\n");
    expect((await cli("relayers list --where state=disabled -o name")).stdout).toBe("eth-sepolia\nxlm-pay\n");
    const { stdout } = await cli("relayers list --fields id,state -o tsv --where state!=active");
    expect(stdout).toBe("eth-main-2\tpaused\neth-sepolia\tdisabled\nxlm-pay\tdisabled\n");
  });

  test("transactions by their age", async () => {
    const youngest = (await cli("tx list eth-main-1 --sort age -o name")).stdout.trimEnd().split("\n");
    const oldest = (await cli("tx list eth-main-1 --sort=-age -o name")).stdout.trimEnd().split("\n");
    expect(youngest.length).toBeGreaterThan(3);
    expect(oldest).toEqual([...youngest].reverse());
    expect((await cli("tx list eth-main-1 --fields age -o tsv")).stdout).toMatch(/^(?:\d+\n)+$/);
    expect((await cli("tx list eth-main-1 --where 'age<1s' -o name")).stdout).toBe("");
  });
});

describe("a count of thousands", () => {
  const relayers = Array.from({ length: 4_000 }, (_, index) => ({ id: `r${index}`, name: "4000", paused: index > 0 }));
  const service = async ({ target }: { target: string }) => pageReply(relayers, target);
  const shown = (line: string) => cli(line, { service, terminal: true, columns: 80 });

  test("is grouped in sentences", async () => {
    expect((await shown("relayers list")).stderr).toContain(
      "4,000 relayers · http://127.0.0.1:8080 · 3,999 need attention",
    );
    expect((await shown("relayers list --where name=none")).stderr).toContain("(4,000 in all)");
    expect((await shown("relayers list --limit 2000")).stderr).toContain("2,000 of 4,000 relayers");
  });

  test("is never grouped in data", async () => {
    for (const format of ["tsv", "csv", "json", "ndjson", "yaml", "name"]) {
      const { stdout } = await cli(`relayers list -o ${format}`, { service });
      expect(stdout, format).not.toContain("4,000");
      if (format !== "name") expect(stdout, format).toContain("4000");
    }
  });
});

test.each(["signers list", "plugins list", "notifications list", "networks list"])(
  "the demo has something to show for %s",
  async (line) => {
    const { stdout } = await exits(0, `--demo ${line} -o name`);
    expect(stdout.split("\n").length).toBeGreaterThan(2);
  },
);
