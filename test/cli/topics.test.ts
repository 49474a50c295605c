import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../../src/cli/all-commands.ts";
import { completionWords } from "../../src/cli/completion-words.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { effectOf } from "../../src/contract/effect.ts";
import { operations } from "../../src/contract/operations.ts";
import { EXIT_CODES } from "../../src/errors.ts";
import { OUTPUT_FORMATS } from "../../src/terminal/output-options.ts";
import { cli, ends, exits } from "../helpers/cli.ts";
import { argvUnderSh } from "../helpers/shell.ts";

const SRC = join(import.meta.dirname, "../../src");

function sources(): string[] {
  const paths = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  return paths.map((path) => readFileSync(join(SRC, path), "utf8"));
}

async function pageOf(topic: string): Promise<string> {
  return (await cli(`help ${topic}`)).stdout;
}

describe("help environment", () => {
  /** Names as the sources write them: `env.CI`, `"RELAYCTL_COLOR"`, `variable(env, "HOME")`, `["TERM", /^foot/`. */
  const NAME =
    /\benv\.([A-Z][A-Z_]+)|"(RELAYCTL_[A-Z_]+)"|\b(?:variable|absolute)\([^")]*"([A-Z_]+)"|\["([A-Z_]{4,})", \//g;

  test("lists every variable that the sources read", async () => {
    const page = await pageOf("environment");
    const read = sources().flatMap((text) => [...text.matchAll(NAME)].map((match) => match.slice(1).join("")));
    expect(new Set(read).size).toBeGreaterThan(15);
    const isListed = (name: string) => new RegExp(`\\b${name}(?!\\w)`).test(page) || NOT_FOLLOWED.includes(name);
    expect([...new Set(read)].filter((name) => !isListed(name))).toEqual([]);
  });

  test("lists no variable that no source reads", async () => {
    const listed = [...(await pageOf("environment")).matchAll(/^ {2}([A-Z].*?)(?: {2}|$)/gm)];
    const names = listed.flatMap(([, words = ""]) => words.replace("<NETWORK>", "").split(", "));
    const others = sources()
      .filter((text) => !text.includes("const FOLLOWED"))
      .join("\n");
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(others))).toEqual([]);
  });

  test("lists each variable once", async () => {
    const names = [...(await pageOf("environment")).matchAll(/^ {2}([A-Z][A-Z_]+)\b/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  /** Read only to report that it has no effect. */
  const NOT_FOLLOWED = ["NODE_TLS_REJECT_UNAUTHORIZED"];
});

describe("help exit-codes", () => {
  test("lists every exit code with its name, once", async () => {
    const rows = [...(await pageOf("exit-codes")).matchAll(/^ {2}(\d+) +([a-z_]+) /gm)].map(([, code, word]) => [
      word,
      Number(code),
    ]);
    expect(Object.fromEntries(rows)).toEqual({ ok: 0, ...EXIT_CODES });
    expect(rows.length).toBe(Object.keys(EXIT_CODES).length + 1);
  });

  test("has the words of the reference page", async () => {
    const page = (await pageOf("exit-codes")).replaceAll(/\n {10,}/g, " ").replaceAll(" (may work later)", "");
    const rows = [...page.matchAll(/^ {2}(\d+) +(\w+) +(.*)$/gm)].map(([, ...cells]) => cells.join(" | "));
    const reference = readFileSync(join(SRC, "../docs/reference/exit-codes.md"), "utf8").replaceAll("`", "");
    const written = [...reference.matchAll(/^\| (\d.*) \|$/gm)].map(([, row]) => row);
    expect(written.sort()).toEqual(rows.sort());
  });

  test("promises that nothing was applied for 2 to 10", async () => {
    const [, promised = ""] = /Nothing was applied\n((?: {2}.*\n)+)/.exec(await pageOf("exit-codes")) ?? [];
    const codes = [...promised.matchAll(/^ {2}(\d+)/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(expect.arrayContaining([2, 3, 4, 5, 6, 7, 8, 9, 10]));
    expect(codes).not.toEqual(expect.arrayContaining([11, 12, 14]));
  });

  test.each([
    [0, []],
    [8, []],
    [11, ["relayers", "get", "eth-main-1"]],
  ])("shows a valid shell script: after %d it calls %j", async (code, called) => {
    const [, script = ""] = /^In a script\n([\s\S]+)/m.exec(await pageOf("exit-codes")) ?? [];
    const ending = script.replace("relayctl relayers pause eth-main-1", `(exit ${code})`);
    expect(argvUnderSh("relayctl", ending.replace(/echo .* ;;/, ";;"))).toEqual(called);
  });
});

test("help flags lists every flag of a file whose name does not end in -file", async () => {
  interface Flag {
    names: string[];
    placeholder?: string;
  }
  const { commands, common_flags }: { commands: { flags: Flag[] }[]; common_flags: Flag[] } = JSON.parse(
    (await cli("help --json")).stdout,
  );
  const flags = [...common_flags, ...commands.flatMap((command) => command.flags)];
  const ofFiles = flags.filter(({ placeholder }) => placeholder === "file").map(({ names }) => names.at(-1) ?? "");
  const [, listed = ""] = /by another name: ([^.]*)\./.exec(await pageOf("flags")) ?? [];
  expect(listed.split(/,\s+/)).toEqual([...new Set(ofFiles)].filter((name) => !/\w-file$/.test(name)).sort());
});

test("help topics lists every topic", async () => {
  const page = await pageOf("topics");
  expect(Object.keys(TOPICS).filter((topic) => !new RegExp(`^  ${topic} `, "m").test(page))).toEqual([]);
  expect(page).toContain("relayctl help <topic>");
});

describe("each command on a page", () => {
  const topics = Object.keys(TOPICS);

  test.each(topics)("of help %s runs", async (topic) => {
    for (const [, line = ""] of (await pageOf(topic)).matchAll(/^ {2}(relayctl .*)$/gm))
      await exits(0, [...argvUnderSh("relayctl", line), "--demo"], { env: {} });
  });

  test("is shown on pages with examples", async () => {
    expect(await pageOf("policies")).toMatch(/^ {2}relayctl /m);
    expect(await pageOf("exit-codes")).toMatch(/^ {2}relayctl /m);
  });
});

test("help output lists every format, and the columns of every resource", async () => {
  const page = await pageOf("output");
  for (const format of OUTPUT_FORMATS) expect(page).toMatch(new RegExp(`^  ${format} `, "m"));
  expect(page).toMatch(/^ {2}relayer +id, name, network,/m);
  expect(page).toMatch(/^ {2}notification +id, type, url, has_signing_key$/m);
});

test("help safety lists each operation that requires a yes", async () => {
  const WORDS = {
    send: "Sending",
    replace: "replacing",
    cancel: "canceling",
    rpc: "Sending",
    call: "calling a plugin",
  };
  const page = (await pageOf("safety")).replaceAll(/\s+/g, " ");
  const asking = Object.values(operations).filter((each) => effectOf(each, {}).consent === "yes");
  const others = asking.filter(
    ({ id, kind }) => kind !== "remove" && id !== "tx.delete-pending" && id !== "signers.update",
  );
  const verbs = others.map(({ id }) => /\.([a-z]+)/.exec(id)?.[1] ?? "");
  for (const verb of verbs) expect(page).toContain(WORDS[verb as keyof typeof WORDS] ?? `no words for ${verb}`);
  expect(page).toContain("every delete");
  expect(new Set(verbs).size).toBeGreaterThan(3);
});

test("help safety lists each command that is sent at most once", async () => {
  const page = (await pageOf("safety")).replaceAll(/\s+/g, " ");
  const once = (await allCommands()).flatMap(([path, { sends }]) => (sends === "once" ? [path] : []));
  expect(once).toContain("tx replace");
  expect(page).toContain(`unknown (11): ${once.join(", ")}`);
});

describe("help --json", () => {
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
    expect((await described("help relayer ls --json")).commands.map(({ command }) => command)).toEqual([
      "relayers list",
    ]);
  });

  test.each(["help nope --json", "help relayers nope --json"])("rejects an unknown command: %s", async (line) => {
    const ran = await ends({ exitCode: 2, stdout: "" }, line);
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { message: expect.stringContaining("'nope'") } });
  });
});
