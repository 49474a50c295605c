import { allCommands } from "../../../src/cli/all-commands.ts";
import { completionWords } from "../../../src/cli/completion-words.ts";
import { firstText } from "../../../src/cli/help/first-text.ts";
import { usageText } from "../../../src/cli/parsing/usage.ts";
import { TREE } from "../../../src/cli/tree.ts";
import { splitWords } from "../../../src/completion/shipped-words.ts";
import { cli } from "../../helpers/cli.ts";

const TOKEN = "a-token-of-this-test-0123456789";
const FILES = splitWords(await completionWords());
const PATHS = (await allCommands()).map(([path]) => path);

const readFile = (name: string) => JSON.stringify(FILES[name]);

interface Terminals {
  terminal?: boolean;
  columns?: number;
  env?: Record<string, string>;
}

async function usage(line: string, world: Terminals = {}) {
  const { terminal: isTerminal = false, columns = 80, env = {} } = world;
  const shown = await usageText(line.split(" "), readFile, {
    env: { LANG: "C.UTF-8", RELAYCTL_TOKEN: TOKEN, ...env },
    stdin: { isTerminal },
    stdout: { isTerminal, columns },
    stderr: { isTerminal, columns },
  });
  if (!shown) return undefined;
  const { text, to, exitCode } = shown;
  return {
    exitCode,
    stdout: to === "out" ? text : "",
    stderr: to === "err" ? text.replaceAll(/\u001b\[\d+m/g, "") : "",
  };
}

async function run(line: string, world: Terminals = {}) {
  const env = { LANG: "C.UTF-8", RELAYCTL_TOKEN: TOKEN, ...world.env };
  const { exitCode, stdout, stderr } = await cli(line, { ...world, env });
  return { exitCode, stdout, stderr };
}

const MISTAKES = [
  "relayers",
  "relayers lst",
  "relayrs list",
  "relayers list --limt 3",
  "relayers list --paused",
  "relayers get --limit 3 x",
  "--limit 3 relayers list",
  "relayers list --limit",
  "relayers list --limit -q",
  "relayers list --token x",
  "relayers get",
  "tx replace r1 --value 1",
  "tx get r1",
  "help nope",
  "help pause",
  "pause eth-main-1",
  "logs",
  "help relayers nope",
  "doctor --nope",
  "relayers help list",
  "relayers -- lst",
];

describe("before the program is loaded", () => {
  test.each(PATHS)("the help of %s is the same as after", async (path) => {
    expect(await usage(`${path} --help`)).toEqual(await run(`${path} --help`));
  });

  test.each(Object.keys(TREE))("the help of the noun %s is the same as after", async (noun) => {
    expect(await usage(`help ${noun}`)).toEqual(await run(`help ${noun}`));
  });

  test.each([
    ["", "bare"],
    ["--help", "program"],
  ] as const)("the page of relayctl %s is the same as after", async (line, about) => {
    const text = firstText(about, readFile, { isTerminal: false, columns: 80 }, {});
    expect({ exitCode: 0, stdout: text, stderr: "" }).toEqual(await run(line));
  });

  test.each(MISTAKES)("the mistake in %s is the same as after", async (line) => {
    expect(await usage(line)).toEqual(await run(line));
  });

  test.each([
    { terminal: true, columns: 60 },
    { terminal: true, columns: 200, env: { NO_COLOR: "1" } },
    { terminal: true, columns: 80, env: { LC_ALL: "C" } },
    { env: { RELAYCTL_COLOR: "always" } },
  ])("both are the same in %j", async (world) => {
    for (const line of [
      "tx send --help",
      "relayers",
      "relayers lst",
      "relayers list --limt 3",
      "relayers get --no-input",
    ])
      expect(await usage(line, world), line).toEqual(await run(line, world));
  });

  test.each([
    "relayers list",
    "relayers list -o ndjson --where paused",
    "tx list r1",
    "relayers update r1 --paused --yes",
    "relayers list extra",
    "relayers list -o jsno",
    "relayers list --headers --no-headers",
    "relayers lst -o json",
    "relayers lst --json",
    "__ids relayers",
    "help --json",
  ])("nothing is known about %s", async (line) => expect(await usage(line)).toBeUndefined());

  test("a token that was typed is not printed", async () =>
    expect((await usage(`relayers ${TOKEN}`))?.stderr).toContain("unknown command '‹redacted›'"));

  test("nothing is known if a prompt is possible, or a workflow shows annotations", async () => {
    expect(await usage("relayers get", { terminal: true })).toBeUndefined();
    expect(await usage("relayers lst", { env: { GITHUB_ACTIONS: "true" } })).toBeUndefined();
  });

  test("nothing is known of missing files, which a project file may name", async () => {
    expect(await usage("validate")).toBeUndefined();
    expect((await usage("validate --limt 3"))?.stderr).toContain("--limt");
  });

  test("nothing is known without what the build wrote down", async () => {
    const read = () => {
      throw new Error("ENOENT");
    };
    const stream = { isTerminal: false, columns: 80 };
    const world = { env: {}, stdin: stream, stdout: stream, stderr: stream };
    expect(await usageText(["relayers", "lst"], read, world)).toBeUndefined();
  });
});
