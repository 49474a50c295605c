import { allCommands } from "../../../src/cli/all-commands.ts";
import { writeJson } from "../../../src/contract/json.ts";
import { OUTPUT_FORMATS } from "../../../src/terminal/output-options.ts";
import { SURROUNDINGS } from "../../cli/example-surroundings.ts";
import { typed } from "../../cli/typed-examples.ts";
import { cli, runHere, testApp, type World } from "../../helpers/cli.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { carrying, READING, WRITING } from "./lines.ts";
import { type Planted, plantedWith, TOKENS } from "./planted.ts";
import { shownIn } from "./readings.ts";
import { SERVER, SOURCES, type Turn, WAYS, type Way, worldWith } from "./worlds.ts";

const COMMANDS = await allCommands();
const FORMATS = [undefined, ...OUTPUT_FORMATS];

interface Line {
  argv: readonly string[];
  base: World;
}

function linesWith(planted: Planted): Line[] {
  const examples = COMMANDS.flatMap(([path, { examples }]) =>
    examples.map((example) => {
      const base = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
      const { argv, input } = typed(example);
      const stdin = input === undefined ? {} : { stdin: base.files?.[input] ?? "" };
      return { argv: argv.filter((word) => word !== "--demo"), base: { ...base, ...stdin } };
    }),
  );
  const others = [...Object.values(WRITING).flat(), ...carrying(planted)].map((argv) => ({
    argv,
    base: SURROUNDINGS[argv.slice(0, 2).join(" ")] ?? {},
  }));
  return [...examples, ...others];
}

const PLANTED = Object.values(TOKENS).map((token) => plantedWith(token));
const LINES = PLANTED.map(linesWith);

interface Run extends Turn {
  line: Line;
  planted: Planted;
}

/** Whether a line is tried in this format in `npm test`: an example of each command, and each other line, in one format. */
function isTried(index: number, at: number): boolean {
  const isExample = index < COMMANDS.reduce((count, [, { examples }]) => count + examples.length, 0);
  return (index + 3 * at) % (2 * FORMATS.length) === 0 && (!isExample || Math.floor(index / 3) % 3 === index % 3);
}

/** Returns every line in each of the formats; of the product, a part in `npm test`. */
function* typedLines(): Generator<{ index: number; format: string | undefined; ways: readonly Way[] }> {
  let number = 0;
  for (const index of (LINES[0] ?? []).keys())
    for (const [at, format] of FORMATS.entries()) {
      const way = WAYS[number % WAYS.length] ?? "added";
      if (!DEEP && !isTried(index, at)) continue;
      number++;
      yield { index, format, ways: DEEP ? WAYS : [way] };
    }
}

/** Each line meets each way of a service, in turn with each token and source. */
function* runs(): Generator<Run> {
  let number = 0;
  for (const { index, format, ways } of typedLines())
    for (const way of ways) {
      number++;
      // In other turns than the ways, of which there are as many.
      const which = (number + Math.floor(number / PLANTED.length)) % PLANTED.length;
      const [lines, planted] = [LINES[which], PLANTED[which]] as [Line[], Planted];
      const { argv, base } = lines[index] as Line;
      const typedFormat = format === undefined || argv.includes("-o") ? [] : ["-o", format];
      const source = SOURCES[number % SOURCES.length] ?? "variable";
      const knowsKey = argv.includes("--key-passphrase-file");
      yield { line: { argv: [...argv, ...typedFormat], base }, planted, way, source, number, knowsKey };
    }
}

/** Returns where a run shows a secret, and what else is wrong with it. */
async function leaksOf({ line: { argv, base }, planted, ...turn }: Run): Promise<string[]> {
  const world = worldWith(planted, turn, base);
  const before = { ...world.files };
  const more = turn.source === "file" ? ["--token-file", "token", "--server", SERVER] : [];
  const made = testApp(world);
  // A hostile service may end a command as its help does not say.
  const problem = await runHere(made, [...argv, ...more]).then(
    () => "",
    (error: unknown) => String(error),
  );
  const outputs = { ...outputsOf(made, argv), ...filesOf(world, before, argv) };
  const shown = Object.entries(outputs).flatMap(([name, text]) =>
    shownIn(text, secretsFor(planted, argv)).map((secret) => `${secret} in ${name}`),
  );
  const wrong = /holds|tells of a bug/.test(problem) ? [problem.slice(0, 300)] : [];
  return [...shown, ...wrong].map((what) => `${argv.join(" ")} (${turn.way}, ${turn.source}): ${what}`);
}

/** Returns what a line must not show; some print the RPC URLs of the service. */
function secretsFor({ servicePath, servicePassword, ...planted }: Planted, argv: readonly string[]) {
  const isAsReceived = argv[0] === "api" || argv.includes("raw") || argv.includes("--show-urls");
  return { ...planted, ...(isAsReceived ? {} : { servicePath, servicePassword }) };
}

/** Returns what a run printed, asked, and recorded; `auth token` prints the token. */
function outputsOf(made: ReturnType<typeof testApp>, argv: readonly string[]): Record<string, string> {
  return {
    ...(argv[0] === "auth" && argv[1] === "token" ? {} : { stdout: made.stdout.text() }),
    stderr: made.stderr.text(),
    journal: writeJson(made.journal.entries),
    caches: [...made.kept.values()].join("\n"),
    editor: made.editor.shown.join("\n"),
    prompts: [...made.questions, ...made.offered.flat()].join("\n"),
  };
}

/** Returns the files that a run wrote, except the key of --key-out and the files that a fleet's user wrote. */
function filesOf(world: World, before: Readonly<Record<string, string>>, argv: readonly string[]) {
  const files = [
    ...Object.entries(world.files ?? {}).filter(([path, text]) => before[path] !== text && path !== "fleet.json"),
    ...[...(world.lineFiles ?? [])].map(([path, lines]) => [path, lines.join("\n")] as const),
    ...[...(world.created ?? [])].filter(([path]) => path !== argv[argv.indexOf("--key-out") + 1]),
    ["the files that grow", (world.appended ?? []).map(([, text]) => text).join("")] as const,
  ];
  return Object.fromEntries(files);
}

test("no secret leaves by any command, format, prompt, or file", async () => {
  const found: string[] = [];
  for (const run of runs()) {
    found.push(...(await leaksOf(run)));
    figure("runs searched for planted secrets", 1);
  }
  expect(found).toEqual([]);
});

test("every flag of a file is known as read or written", async () => {
  const { commands } = JSON.parse((await cli("help --json")).stdout) as {
    commands: { flags: { names: string[]; type: string }[] }[];
  };
  const flags = commands.flatMap((command) => command.flags);
  const names = flags.flatMap(({ names: [...all], type }) =>
    type === "file" ? all.filter((name) => name.startsWith("--")) : [],
  );
  const known = [...READING, ...Object.keys(WRITING)];
  expect([...new Set(names)].filter((name) => !known.includes(name))).toEqual([]);
});

test("what decodes an output finds a secret in every encoding", () => {
  const secret = PLANTED[0]?.token ?? "";
  const spelled = (text: string) => text.replace(/[^A-Za-z0-9]/g, (found) => `&#${found.charCodeAt(0)};`);
  const encoded = [
    secret,
    JSON.stringify(secret),
    JSON.stringify(JSON.stringify(secret)),
    spelled(secret),
    `"${secret.replaceAll('"', '""')}"`,
    `'${secret.replaceAll("'", "'\\''")}'`,
    encodeURIComponent(secret),
    Buffer.from(`x${secret}y`).toString("base64"),
    Buffer.from(secret).toString("hex"),
    encodeURIComponent(spelled(secret)),
  ];
  for (const text of encoded) expect(shownIn(`a ${text} b`, { secret }), text).toEqual(["secret"]);
  expect(shownIn("a ‹redacted› b", { secret })).toEqual([]);
});
