import { describe, expect, test } from "vitest";
import { allCommands } from "../../src/cli/all-commands.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { TREE } from "../../src/cli/tree.ts";
import { cli } from "../helpers/cli.ts";

const PATHS = (await allCommands()).map(([path]) => path);
const GROUPS = Object.keys(TREE).filter((noun) => !PATHS.includes(noun));
const PAGES = [...PATHS, ...GROUPS].map((path) => [...path.split(" "), "--help"].join(" "));
/** The group that stands for one of its commands. */
const BARE = "history";
const TOPIC_PAGES = Object.keys(TOPICS).map((topic) => `help ${topic}`);

function withoutVersion(text: string): string {
  return text.replace(/\d+\.\d+\.\d+/, "VERSION");
}

describe("the help of", () => {
  test.each(PATHS)("%s", async (path) => {
    const ran = await cli(`${path} --help`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "", requests: [] });
    await expect(ran.stdout).toMatchFileSnapshot(`help/${path.replace(" ", "-")}.txt`);
    expect((await cli(`help ${path}`)).stdout).toBe(ran.stdout);
  });

  test("the program", async () => {
    const ran = await cli("--help");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    await expect(withoutVersion(ran.stdout)).toMatchFileSnapshot("help/relayctl.txt");
    expect((await cli("help")).stdout).toBe(ran.stdout);
  });

  test.each(GROUPS)("the group %s: on stdout if requested, otherwise on stderr with exit code 2", async (noun) => {
    const asked = await cli(`${noun} --help`);
    expect(asked).toMatchObject({ exitCode: 0, stderr: "" });
    await expect(asked.stdout).toMatchFileSnapshot(`help/${noun}.txt`);
    if (noun !== BARE) expect(await cli(noun)).toMatchObject({ exitCode: 2, stdout: "", stderr: asked.stdout });
    expect((await cli(`help ${noun}`)).stdout).toBe(asked.stdout);
  });

  test.each(Object.keys(TOPICS))("the topic %s", async (topic) => {
    const ran = await cli(`help ${topic}`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "", requests: [] });
    await expect(ran.stdout).toMatchFileSnapshot(`help/topic-${topic}.txt`);
  });
});

test("headings are bold on a terminal, and the same bytes without color", async () => {
  for (const line of ["", "--help", "relayers --help", "relayers update --help", "help output"]) {
    const world = { stdoutTerminal: true, columns: 80 };
    const { stdout } = await cli(line, world);
    expect(stdout, line).toMatch(/^\u001b\[1m[A-Z][a-z ]+:?\u001b\[22m/m);
    const withoutColor = await cli(line, { ...world, env: { NO_COLOR: "1" } });
    expect(withoutColor.stdout, line).toBe((await cli(line)).stdout);
    expect(stdout.replaceAll(/\u001b\[\d+m/g, ""), line).toBe(withoutColor.stdout);
  }
});

test("the first steps fit a narrow terminal, with each command on one line", async () => {
  const { stdout } = await cli("", { stdoutTerminal: true, columns: 60, env: { NO_COLOR: "1" } });
  for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(60);
  for (const [command] of (await cli("")).stdout.matchAll(/relayctl (?:help|auth|--demo)[a-z -]*[a-z]/g))
    expect(stdout).toContain(command);
});

describe("help is fitted", () => {
  /** Returns lines that are too wide, except one long word and an example up to its first flag. */
  const wideLines = (text: string, width: number) =>
    text.split("\n").filter((line) => line.length > width && !/^ *(?:\S+|relayctl(?: (?!--)\S+)*)(?: \\)?$/.test(line));

  test.each(["--help", ...PAGES, ...TOPIC_PAGES])("to 80 columns in a pipe: relayctl %s", async (line) => {
    const { stdout } = await cli(line, { columns: 200 });
    expect(wideLines(stdout, 80)).toEqual([]);
  });

  test.each([60, 100])("to a terminal of %d columns", async (columns) => {
    for (const line of [...PAGES, ...TOPIC_PAGES]) {
      const world = { stdoutTerminal: true, columns, env: { NO_COLOR: "1" } };
      const { stdout } = await cli(line, world);
      expect(wideLines(stdout, columns), line).toEqual([]);
    }
  });

  test("to readable lines, no matter how wide the terminal is", async () => {
    const wide = await cli("relayers update --help", { stdoutTerminal: true, columns: 500 });
    expect(wide.stdout).toBe((await cli("relayers update --help", { stdoutTerminal: true, columns: 100 })).stdout);
    expect(wide.stdout).not.toBe((await cli("relayers update --help")).stdout);
  });
});

describe("without a command", () => {
  test("relayctl shows the first steps", async () => {
    const ran = await cli([]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^relayctl \d+\.\d+\.\d+ · operate relayers/);
    await expect(withoutVersion(ran.stdout)).toMatchFileSnapshot("help/bare.txt");
  });

  test("and lists only commands that exist", async () => {
    const { stdout } = await cli([]);
    const named = [...stdout.matchAll(/(relayers|tx|notifications) ((?:[a-z]+ \| )*[a-z]+)$/gm)].flatMap(
      ([, noun, verbs = ""]) => verbs.split(" | ").map((verb) => `${noun} ${verb}`),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((path) => !PATHS.includes(path))).toEqual([]);
  });

  test.each(["--version", "-V"])("%s prints the version alone", async (flag) => {
    expect(await cli(flag)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });
});

describe("an unknown command", () => {
  const NOUNS = Object.keys(TREE).join(", ");
  const TOPIC_NAMES = Object.keys(TOPICS).join(", ");
  const errorOf = async (line: string) => {
    const ran = await cli(line);
    expect(ran).toMatchObject({ exitCode: 2, stdout: "", requests: [] });
    return ran.stderr;
  };

  test("is reported with the nearest command and the list of all commands", async () => {
    expect(await errorOf("relayes list")).toBe(
      `error: unknown command 'relayes'\n  did you mean relayers?\n  commands: ${NOUNS}\n  hint: relayctl --help\n`,
    );
    const verbs = PATHS.flatMap((path) => /^relayers (.*)/.exec(path)?.[1] ?? []).join(", ");
    const unknown = `error: unknown command 'updte'\n  did you mean update?\n  commands: ${verbs}\n  hint: relayctl relayers --help\n`;
    expect(await errorOf("relayers updte r1")).toBe(unknown);
    expect(await errorOf("help relayers updte")).toBe(unknown);
  });

  test("is reported with the list of topics too when help was requested", async () => {
    const known = `  commands: ${NOUNS}\n  topics: ${TOPIC_NAMES}\n  hint: relayctl --help\n`;
    expect(await errorOf("help nope")).toBe(`error: unknown command or topic 'nope'\n${known}`);
    expect(await errorOf("help exitcodes")).toBe(
      `error: unknown command or topic 'exitcodes'\n  did you mean exit-codes?\n${known}`,
    );
  });

  test("is reported without the flags next to it, which may hold a secret", async () => {
    expect(await errorOf("nope --token=SECRET-VALUE")).toBe(
      `error: unknown command 'nope'\n  commands: ${NOUNS}\n  hint: relayctl --help\n`,
    );
  });
});
