import { allCommands } from "../../src/cli/all-commands.ts";
import { completionWords } from "../../src/cli/completion-words.ts";
import { EXIT_CODES } from "../../src/errors.ts";
import { ends } from "../helpers/cli.ts";

interface Described {
  command: string;
  effect: string;
  flags: { names: string[]; type: string; repeatable: boolean; default: string | null; choices?: string[] }[];
  arguments: { name: string; type: string; required: boolean; repeatable: boolean }[];
  exit_codes: { code: number; word: string; meaning: string }[];
}

async function described(line = "help --json"): Promise<{ commands: Described[]; common_flags: Described["flags"] }> {
  const ran = await ends({ exitCode: 0, stderr: "", requests: [] }, line);
  return JSON.parse(ran.stdout);
}

test("describes every command, with the flags that completion offers", async () => {
  const { commands, common_flags } = await described();
  expect(commands.map(({ command }) => command).sort()).toEqual((await allCommands()).map(([path]) => path).sort());
  const { program } = await completionWords();
  expect(common_flags.map(({ names }) => names)).toEqual(program.flags.map(({ names }) => names));
  const pause = program.commands[0]?.commands.find(({ name }) => name === "pause");
  const found = commands.find(({ command }) => command === "relayers pause");
  expect(found?.flags.map(({ names }) => names)).toEqual(pause?.flags.map(({ names }) => names));
});

test("has types, defaults, choices, and repetition", async () => {
  const { commands, common_flags } = await described();
  const flag = (name: string) => common_flags.find(({ names }) => names.includes(name));
  expect(flag("--output")).toMatchObject({ type: "choice", choices: expect.arrayContaining(["json"]) });
  expect(flag("--timeout")).toMatchObject({ type: "text", default: "30s", repeatable: false });
  expect(flag("--verbose")).toMatchObject({ type: "boolean", repeatable: true });
  const send = commands.find(({ command }) => command === "tx send");
  expect(send?.arguments[0]).toMatchObject({ type: "relayer", required: true, repeatable: false });
  const pause = commands.find(({ command }) => command === "relayers pause");
  expect(pause?.arguments[0]).toMatchObject({ type: "relayer", repeatable: true });
});

test.each([
  ["relayers list", "read"],
  ["tx quote", "read"],
  ["relayers pause", "write"],
  ["tx send", "money"],
  ["relayers sign", "money"],
  ["api", "money"],
  ["context set", "read"],
])("says what %s can do: %s", async (command, effect) => {
  expect((await described()).commands.find((found) => found.command === command)?.effect).toBe(effect);
});

test("has the exit codes of each command, with their stable words", async () => {
  for (const { exit_codes } of (await described()).commands) {
    expect(exit_codes[0]).toMatchObject({ code: 0, word: "ok" });
    for (const { code, word } of exit_codes.slice(1)) expect(EXIT_CODES[word as keyof typeof EXIT_CODES]).toBe(code);
  }
});

test("describes one noun or one command", async () => {
  expect((await described("help tx --json")).commands.every(({ command }) => command.startsWith("tx "))).toBe(true);
  expect((await described("help relayers pause --json")).commands.map(({ command }) => command)).toEqual([
    "relayers pause",
  ]);
  expect((await described("help relayer ls --json")).commands.map(({ command }) => command)).toEqual(["relayers list"]);
});

test.each(["help nope --json", "help relayers nope --json"])("rejects an unknown command: %s", async (line) => {
  const ran = await ends({ exitCode: 2, stdout: "" }, line);
  expect(JSON.parse(ran.stderr)).toMatchObject({ error: { message: expect.stringContaining("'nope'") } });
});
