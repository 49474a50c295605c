import { allCommands } from "../../src/cli/all-commands.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { TREE } from "../../src/cli/tree.ts";
import { DAILY } from "../../src/completion/aliases.ts";
import { cli, ends, exited } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";

const PATHS = (await allCommands()).map(([path]) => path);
const GROUPS = Object.keys(TREE).filter((noun) => !PATHS.includes(noun));
const PAGES = [...PATHS, ...GROUPS].map((path) => [...path.split(" "), "--help"].join(" "));
/** The group that stands for one of its commands. */
const BARE = "history";
const TOPIC_PAGES = Object.keys(TOPICS).map((topic) => `help ${topic}`);

/** Help in a pipe by its words, since many tests read the same page. */
const shown = new Map<string, ReturnType<typeof cli>>();

function shownFor(line: string): ReturnType<typeof cli> {
  const ran = shown.get(line) ?? cli(line);
  shown.set(line, ran);
  return ran;
}

/** Pages that are asked for in the other way too. */
const ALSO_BY_NAME = new Set<string>(sampled(PATHS, 10));

async function errorOf(line: string): Promise<string> {
  const ran = await ends({ exitCode: 2, stdout: "", requests: [] }, line);
  return ran.stderr;
}

function withoutVersion(text: string): string {
  return text.replace(/\d+\.\d+\.\d+/, "VERSION");
}

describe("the help of", () => {
  test.each(PATHS)("%s", async (path) => {
    const ran = await exited({ exitCode: 0, stderr: "", requests: [] }, shownFor(`${path} --help`));
    await expect(ran.stdout).toMatchFileSnapshot(`help/${path.replace(" ", "-")}.txt`);
    if (ALSO_BY_NAME.has(path)) expect((await cli(`help ${path}`)).stdout).toBe(ran.stdout);
  });

  test("the program", async () => {
    const ran = await ends({ exitCode: 0, stderr: "" }, "--help");
    await expect(withoutVersion(ran.stdout)).toMatchFileSnapshot("help/relayctl.txt");
    expect((await cli("help")).stdout).toBe(ran.stdout);
  });

  test.each(GROUPS)("the group %s: on stdout if requested, otherwise on stderr with exit code 2", async (noun) => {
    const asked = await exited({ exitCode: 0, stderr: "" }, shownFor(`${noun} --help`));
    await expect(asked.stdout).toMatchFileSnapshot(`help/${noun}.txt`);
    if (noun !== BARE) {
      expect(await cli(noun)).toMatchObject({ exitCode: 2, stdout: "", stderr: asked.stdout });
      const toScript = await exited(2, cli(noun, { env: { RELAYCTL_OUTPUT: "json" } }));
      expect(JSON.parse(toScript.stderr).error).toMatchObject({ code: "usage", hint: `relayctl ${noun} --help` });
    }
    expect((await cli(`help ${noun}`)).stdout).toBe(asked.stdout);
  });

  test.each(Object.keys(TOPICS))("the topic %s", async (topic) => {
    const ran = await exited({ exitCode: 0, stderr: "", requests: [] }, shownFor(`help ${topic}`));
    await expect(ran.stdout).toMatchFileSnapshot(`help/topic-${topic}.txt`);
  });
});

describe("a daily word", () => {
  test.each(sampled([...DAILY], 4))("%s stands for %j: in help, with flags, and in a script", async (word, path) => {
    const full = path.join(" ");
    const page = (await cli(`${full} --help`)).stdout;
    expect(page).toContain(`\`relayctl ${word}\` is short for \`relayctl ${full}\`.`);
    for (const line of [`${word} --help`, `help ${word}`, `-q ${word} -h`, `help -q ${word}`])
      expect(await cli(line), line).toMatchObject({ exitCode: 0, stdout: page, stderr: "" });
    expect((await cli(`help ${word} --json`)).stdout).toBe((await cli(`help ${full} --json`)).stdout);
    expect(await errorOf(`--nope ${word} x`)).toContain("error: unknown option '--nope'\n");
  });

  test.each(["status", "stuck eth-main-1", "status eth-main-1 -o json"])("%s runs", async (line) => {
    const [word = "", ...rest] = line.split(" ");
    const short = await cli(line);
    const long = await cli([...(DAILY.get(word) ?? []), ...rest]);
    expect(short).toMatchObject({ exitCode: long.exitCode, stdout: long.stdout });
    expect(short.stdout).not.toBe("");
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

describe("a long page leads with what matters", () => {
  const linesOf = async (line: string) => (await cli(line)).stdout.split("\n").length - 1;

  test.each([
    ["tx send --help", 60],
    ["tx send --network-type solana --help", 60],
    ["help tx send --network-type=stellar", 60],
    ["help output", 120],
  ])("in 80 columns: relayctl %s has at most %d lines", async (line, most) =>
    expect(await linesOf(line)).toBeLessThanOrEqual(most),
  );

  test.each([
    ["evm", "--gas-price", "--memo"],
    ["solana", "--instructions", "--gas-price"],
    ["stellar", "--memo", "--gas-price"],
  ])("with the flags of %s if it is typed, and one line for each other network", async (kind, own, other) => {
    for (const command of ["send", "replace"].filter((verb) => verb === "send" || kind === "evm")) {
      const { stdout } = await cli(`tx ${command} --network-type ${kind} --help`);
      expect(stdout).toMatch(new RegExp(`^  ${own} `, "m"));
      expect(stdout).not.toMatch(new RegExp(`^  ${other} `, "m"));
      for (const name of ["evm", "solana", "stellar"].filter((each) => each !== kind))
        expect(stdout).toMatch(new RegExp(`^  ${name} +\\S.*--network-type ${name} --help`, "m"));
    }
  });

  test("with --wait, whose further flags are a topic", async () => {
    const topic = (await cli("help waiting")).stdout;
    for (const flag of ["--for", "--confirmations", "--no-chain", "--node", "--deadline"]) {
      expect(topic).toMatch(new RegExp(`^  ${flag} `, "m"));
      for (const verb of ["send", "replace", "cancel", "bump", "cancel-pending", "send-many"])
        expect((await cli(`tx ${verb} --help`)).stdout).not.toMatch(new RegExp(`^  ${flag} `, "m"));
    }
    expect((await cli("tx send --help")).stdout).toMatch(/^ {2}--wait .*`relayctl help waiting`/m);
  });
});

describe("a flag", () => {
  test.each([
    ["label delete x --kind none", "--network-type none"],
    ["relayers update x --name y --kind none", "--network-type none"],
    ["tx build r --kind=none", "--network-type none"],
    ["tx quote r --kind none", "--network-type none"],
    ["tx replace r x --kind none", "--network-type none"],
    ["tx send r --kind none", "--network-type none"],
    ["webhooks events --kind none", "--network-type none"],
    ["webhooks test --kind none", "--network-type none"],
    ["tx bump r x --max-fee none", "--max-price none"],
    ["bump r x --max-fee=none", "--max-price none"],
    ["tx send-many r -f p.csv --max-in-flight none", "--concurrency none"],
  ])("takes its old name, which help and completion do not show: %s", async (line, problem) => {
    expect(await errorOf(line)).toContain(problem);
    const [, command = "", old = ""] = /^(.*?) (?:\S+ )*(--(?:kind|max-fee|max-in-flight))/.exec(line) ?? [];
    const path = (DAILY.get(command) ?? line.split(" ").slice(0, 2)).join(" ");
    expect((await cli(`${path} --help`)).stdout).not.toMatch(new RegExp(`^  ${old}\\b(?!-)`, "m"));
    const { commands } = JSON.parse((await cli(`help ${path} --json`)).stdout);
    expect(JSON.stringify(commands)).not.toContain(`"${old}"`);
  });

  test("for a file ends in -file, or is on the list of help flags", async () => {
    const page = (await cli("help flags")).stdout.replaceAll(/\s+/g, " ");
    const listed = /by another name: (.*)\.$/.exec(page.trim())?.[1]?.split(", ") ?? [];
    expect(listed).toEqual(expect.arrayContaining(["--abi", "--policies", "--report"]));
    for (const path of PATHS)
      for (const [, flag = ""] of (await shownFor(`${path} --help`)).stdout.matchAll(
        /^ {2}(?:-f, )?(--[a-z-]+) FILE\b/gm,
      ))
        expect(flag.endsWith("-file") || listed.includes(flag), `${path} ${flag}`).toBe(true);
  });

  test("describes `-` for a file in one way", async () => {
    for (const path of PATHS)
      expect((await shownFor(`${path} --help`)).stdout.replaceAll(/\s+/g, " "), path).not.toMatch(
        /[^(]`-` (?:for|reads)/,
      );
  });

  test("--rpc-url has one placeholder", async () => {
    for (const path of ["relayers create", "relayers update", "networks update"])
      expect((await cli(`${path} --help`)).stdout).toContain("  --rpc-url URL[,WEIGHT=N]");
  });
});

describe("help is fitted", () => {
  /** Returns lines that are too wide, except one long word. */
  const wideLines = (text: string, width: number) =>
    text.split("\n").filter((line) => line.length > width && !/^ *\S+(?: \\)?$/.test(line));

  test.each(["--help", ...PAGES, ...TOPIC_PAGES])("to 80 columns in a pipe: relayctl %s", async (line) => {
    const { stdout } = await shownFor(line);
    expect(wideLines(stdout, 80)).toEqual([]);
  });

  test.each([60, 80, 120])("to a terminal of %d columns", async (columns) => {
    for (const line of sampled([...PAGES, ...TOPIC_PAGES], 12)) {
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
    const ran = await ends({ exitCode: 0, stderr: "" }, []);
    expect(ran.stdout).toMatch(/^relayctl \d+\.\d+\.\d+ · operate relayers/);
    await expect(withoutVersion(ran.stdout)).toMatchFileSnapshot("help/bare.txt");
  });

  const JOBS = /^(See|Act|Pay|Undo|Fleet|Hooks|Set up) +((?:.|\n {8})+)$/gm;
  const jobsOf = async (line: string) => [...(await cli(line)).stdout.matchAll(JOBS)];

  test.each(["", "--help", "help"])("and '%s' lists the commands by job, each of which exists", async (line) => {
    const jobs = await jobsOf(line);
    expect(jobs.map(([, job]) => job)).toEqual(["See", "Act", "Pay", "Undo", "Fleet", "Hooks", "Set up"]);
    const named = jobs.flatMap(([, , commands = ""]) => commands.split(/ ·\s+/));
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect((await cli(`${name} --help`)).exitCode, name).toBe(0);
  });

  const SELDOM =
    /^(?:relayers (?:rpc|sign.*)|tx (?:quote|build)|webhooks (?:sign|events|replay)|history (?:settle|verify))$/;

  test("and help leaves seldom commands to help --all and to their groups", async () => {
    const all = (await cli("help --all")).stdout;
    for (const path of PATHS) expect(all).toMatch(new RegExp(`^  ${path}(?: |$)`, "m"));
    const seldom = PATHS.filter((path) => SELDOM.test(path));
    expect(seldom).toHaveLength(11);
    const led = (await cli("help")).stdout + (await cli([])).stdout;
    for (const path of seldom) {
      expect(led).not.toContain(path);
      const [noun = "", verb = ""] = path.split(" ");
      expect((await cli(`help ${noun}`)).stdout).toMatch(new RegExp(`^  ${verb}\\b`, "m"));
    }
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

  const ending = (...verbs: string[]) => PATHS.filter((path) => verbs.includes(path.split(" ")[1] ?? ""));
  const VERBS = [...new Set(PATHS.flatMap((path) => path.split(" ")[1] ?? []))].filter((verb) => !DAILY.has(verb));

  test.each([
    ...VERBS.map((verb): [string, string[]] => [verb, verb === "show" ? ending("show", "get") : ending(verb)]),
    ["ls", ending("list")],
    ["rm", ending("delete")],
    ["view", ending("get")],
    ["describe", ending("get")],
    ["new", ending("create")],
    ["add", ending("create")],
    ["patch", ending("update")],
    ["remove", ending("delete")],
    ["config", ["context"]],
    ["switch", ["context use"]],
    ["logs", ["history", "webhooks listen"]],
    ["tail", ["webhooks listen"]],
    ["trigger", ["webhooks test"]],
    ["ps", ["relayers list"]],
    ["watch", ["relayers status", "tx wait"]],
    ["stop", ["relayers pause"]],
    ["enable", ["relayers resume"]],
    ["pay", ["tx send", "tx send-many"]],
    ["resend", ["webhooks replay", "tx bump"]],
    ["speedup", ["tx bump"]],
    ["abort", ["tx cancel"]],
    ["run", ["plugins call"]],
    ["balance", ["relayers balance"]],
    ["fund", ["topup"]],
    ["fees", ["spend"]],
    ["search", ["find"]],
    ["diff", ["drift"]],
    ["rollback", ["undo"]],
    ["whoami", ["auth status"]],
  ])("'%s' leads to the commands that have it, in the first line", async (word, paths) => {
    for (const line of sampled([word, `${word} eth-main-1 --yes`, `-o tsv ${word}`, `help ${word}`], 4, word.length)) {
      const [first = ""] = (await errorOf(line)).split("\n");
      expect(first).toContain(`'${word}'; did you mean `);
      const named = first.slice(first.indexOf("mean ") + 5, -1).split(/, or | or |, /);
      expect(named.sort(), line).toEqual([...paths].sort());
    }
  });

  test.each([
    ["tx show 8f2c", "tx get"],
    ["relayers describe", "relayers get"],
    ["webhooks trigger", "webhooks test"],
    ["webhooks resend", "webhooks replay"],
    ["tx watch", "tx wait"],
  ])("after its noun leads to a command of the noun, too: %s", async (line, path) => {
    const word = line.split(" ")[1];
    const hint = `relayctl ${path} --help`;
    expect(await errorOf(line)).toBe(`error: unknown command '${word}'; did you mean ${path}?\n  hint: ${hint}\n`);
  });

  test.each(["webhooks send", "tx status", "context add"])("leads to no command of another noun: %s", async (line) =>
    expect(await errorOf(line)).toMatch(/^error: unknown command '\w+'\n {2}commands: /),
  );

  test("is compared with the daily words too", async () =>
    expect(await errorOf("stuk")).toContain("did you mean stuck?"));

  test("is reported without the flags next to it, which may hold a secret", async () =>
    expect(await errorOf("nope --token=SECRET-VALUE")).toBe(
      `error: unknown command 'nope'\n  commands: ${NOUNS}\n  hint: relayctl --help\n`,
    ));
});
