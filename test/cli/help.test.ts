import { describe, expect, test } from "vitest";
import { parse } from "../../src/cli/parse.ts";
import { TREE } from "../../src/cli/tree.ts";
import type { AnyCommand } from "../../src/commands/command.ts";
import { cli } from "../helpers/cli.ts";
import { argvUnderSh } from "../helpers/shell.ts";

/** Every command by the words that lead to it. */
const COMMANDS: readonly (readonly [string, AnyCommand])[] = (
  await Promise.all(
    Object.entries(TREE).map(async ([noun, branch]) =>
      "command" in branch
        ? [[noun, await branch.command()] as const]
        : Object.entries(await branch.group()).map(([verb, file]) => [`${noun} ${verb}`, file] as const),
    ),
  )
).flat();
const GROUPS = Object.keys(TREE).filter((noun) => "group" in (TREE[noun] ?? {}));
const FILES = { "body.json": '{"paused":true}' };

describe("the help of", () => {
  test.each(COMMANDS.map(([path]) => path))("%s", async (path) => {
    const ran = await cli(`${path} --help`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "", requests: [] });
    await expect(ran.stdout).toMatchFileSnapshot(`help/${path.replace(" ", "-")}.txt`);
    expect((await cli(`help ${path}`)).stdout).toBe(ran.stdout);
  });

  test("the program", async () => {
    const ran = await cli("--help");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    await expect(ran.stdout).toMatchFileSnapshot("help/relayctl.txt");
    expect((await cli("help")).stdout).toBe(ran.stdout);
  });

  test.each(GROUPS)("the group %s: asked for on stdout, and else on stderr with 2", async (noun) => {
    const asked = await cli(`${noun} --help`);
    expect(asked).toMatchObject({ exitCode: 0, stderr: "" });
    await expect(asked.stdout).toMatchFileSnapshot(`help/${noun}.txt`);
    expect(await cli(noun)).toMatchObject({ exitCode: 2, stdout: "", stderr: asked.stdout });
  });
});

describe("every example", () => {
  const examples = COMMANDS.flatMap(([path, { examples }]) => examples.map((example) => [path, example] as const));

  test.each(examples)("of %s is of that command and parses: %s", async (path, example) => {
    expect(example.startsWith(`relayctl ${path}`)).toBe(true);
    const [command = ""] = example.split(/ [|<] /);
    const parsed = await parse(argvUnderSh("relayctl", command));
    expect(parsed).toMatchObject({ kind: "command", problems: [] });
  });

  const runnable = examples.filter(([path]) => !/^(?:auth|context|serve)/.test(path));
  test.each(runnable)("of %s runs against the embedded server: %s", async (_, example) => {
    const person = example.includes(" edit ") ? { terminal: true, answers: ["active"] } : {};
    const ran = await cli([...argvUnderSh("relayctl", example), "--demo"], { files: FILES, env: {}, ...person });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stdout).not.toBe("");
  });
});

describe("without a command", () => {
  test("relayctl alone says where to begin", async () => {
    const ran = await cli([]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^relayctl \d+\.\d+\.\d+ · operate relayers/);
    expect(ran.stdout).toContain("relayctl --demo relayers list");
  });

  test.each(["--version", "-V"])("%s prints the version alone", async (flag) => {
    expect(await cli(flag)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  test.each([
    ["relayer list", "error: unknown command 'relayer'\n  did you mean relayers?\n  hint: relayctl --help\n"],
    ["relayers updte r1", "error: unknown command 'updte'\n  did you mean update?\n  hint: relayctl relayers --help\n"],
    [
      "help relayers updte",
      "error: unknown command 'updte'\n  did you mean update?\n  hint: relayctl relayers --help\n",
    ],
    ["help nope", "error: unknown command 'nope'\n  hint: relayctl --help\n"],
    ["nope --token=SECRET-VALUE", "error: unknown command 'nope'\n  hint: relayctl --help\n"],
  ])("%s is told", async (line, stderr) => expect(await cli(line)).toMatchObject({ exitCode: 2, stdout: "", stderr }));
});
