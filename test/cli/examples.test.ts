import { allCommands } from "../../src/cli/all-commands.ts";
import { parseArgv } from "../../src/cli/parse.ts";
import { addCommonFlags } from "../../src/cli/program.ts";
import { sendsRequest } from "../../src/cli/request-flags.ts";
import { CommandSyntax } from "../../src/commands/command.ts";
import { cli, exits } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { SURROUNDINGS } from "./example-surroundings.ts";
import { typed } from "./typed-examples.ts";

const COMMANDS = (await allCommands()).map(([path, file], turn) => [path, file, turn] as const);

/** The examples as help prints them; an example that was broken into several lines is pasted on one line. */
async function printedExamples(path: string): Promise<string[]> {
  const { stdout } = await cli(`${path} --help`);
  const section = /^Examples\n((?: {2}.*\n)+)/m.exec(stdout)?.[1] ?? "";
  return section
    .replaceAll(/ \\\n */g, " ")
    .trimEnd()
    .split(/\n? {2}(?=relayctl )/)
    .slice(1);
}

describe.each(COMMANDS)("%s", (path, file, turn) => {
  test("has three examples, which help prints ready to paste", async () => {
    expect(new Set(file.examples).size).toBe(3);
    expect(await printedExamples(path)).toEqual(file.examples);
    for (const example of file.examples) expect(`${example} `).toContain(`relayctl ${path} `);
  });

  test.each(file.examples)("parses: %s", async (example) => {
    expect(await parseArgv(typed(example).argv)).toMatchObject({ kind: "command", problems: [] });
  });

  test.each(sampled(file.examples, 3, turn))("runs: %s", async (example) => {
    const world = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
    const { argv, input } = typed(example);
    const stdin = input === undefined ? {} : { stdin: world.files?.[input] ?? "" };
    const ran = await exits(0, [...argv, ...(sendsRequest(file.sends) ? ["--demo"] : [])], {
      env: {},
      ...stdin,
      ...world,
    });
    if (!argv.includes("--quiet") && !["drift", "top"].includes(path)) expect(ran.stdout + ran.stderr).not.toBe("");
  });
});

/** What Node throws for a relative path if another process removed the working folder. */
const GONE = Object.assign(new Error("ENOENT"), { code: "ENOENT", syscall: "uv_cwd" });

function fileFlags(define: (syntax: CommandSyntax) => unknown): string[] {
  const syntax = new CommandSyntax("");
  define(syntax);
  return syntax.flags.filter(({ flags }) => /<(?:file|folder|line)>/.test(flags)).map(({ long }) => long);
}

test.each(COMMANDS)("%s reports a folder that no longer exists as no defect", async (path, file, turn) => {
  const world = SURROUNDINGS[file.examples[0] ?? ""] ?? SURROUNDINGS[path] ?? {};
  const { argv } = typed(file.examples[0] ?? "");
  const own = fileFlags((syntax) => file.define?.(syntax));
  for (const flag of ["", ...own, ...sampled(fileFlags(addCommonFlags), 6, turn)]) {
    const cwd = vi.spyOn(process, "cwd").mockImplementation(() => {
      throw GONE;
    });
    const { stderr } = await cli([...argv, ...(flag === "" ? [] : [flag, "@gone"])], world).finally(() =>
      cwd.mockRestore(),
    );
    expect(stderr).not.toContain("a bug in relayctl");
  }
});

test("every prepared world belongs to a command or an example", () => {
  const known = COMMANDS.flatMap(([path, { examples }]) => [path, ...examples]);
  expect(Object.keys(SURROUNDINGS).filter((key) => !known.includes(key))).toEqual([]);
});
