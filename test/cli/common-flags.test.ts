import { createPrivateKey } from "node:crypto";
import { allCommands } from "../../src/cli/all-commands.ts";
import { type CommonFlag, requestFlagName } from "../../src/cli/request-flags.ts";
import { TransportFailure } from "../../src/client/transport/transport.ts";
import type { AnyCommand } from "../../src/commands/command.ts";
import { type JsonValue, writeJson } from "../../src/contract/json.ts";
import { intent } from "../commands/history/recorded.ts";
import { offered, words } from "../completion/offered.ts";
import { createAuthority } from "../faults/server/certificates.ts";
import { cli, exited, exits, runHere, SERVER, says, TOKEN, testApp, type World } from "../helpers/cli.ts";
import { DEEP, sampled } from "../helpers/deep.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { demoStore } from "../helpers/seed-state.ts";
import { SURROUNDINGS } from "./example-surroundings.ts";
import { typed } from "./typed-examples.ts";

const COMMANDS = await allCommands();
const DESCRIBED: { command: string; common_flags: string[]; output: unknown[]; flags: { names: string[] }[] }[] =
  JSON.parse((await cli("help --json")).stdout).commands;
const TAKEN = new Map(DESCRIBED.map(({ command, common_flags }) => [command, common_flags]));

const HTTPS = "https://relayer.example.org";
const HTTP = "http://relayer.example.org";
const CONTEXTS: NonNullable<World["config"]> = {
  version: 1,
  current: "default",
  contexts: {
    default: { server: SERVER, token: TOKEN },
    other: { server: HTTPS, token: "another-token-0123456789", protected: true },
  },
};
const JOURNAL = { RELAYCTL_JOURNAL: "journal" };
const STORED: World = { env: JOURNAL, config: CONTEXTS };
const at = (server: string): World => ({ env: { ...JOURNAL, RELAYCTL_SERVER: server, RELAYCTL_TOKEN: TOKEN } });
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

const ISSUED = createAuthority().issue();
const CLIENT = {
  "client.pem": ISSUED.cert + ISSUED.key,
  "client.key": createPrivateKey(ISSUED.key).export({ type: "sec1", format: "pem" }).toString(),
};

/** How a flag shows its effect: what is typed with and without it, and where. */
interface Trial {
  words: readonly string[];
  without?: readonly string[];
  world: World;
}

const TRIALS: Readonly<Partial<Record<CommonFlag, Trial>>> = {
  fields: { words: ["-o", "csv", "--fields"], without: ["-o", "csv"], world: {} },
  query: { words: ["-o", "json", "--query", "'x'"], without: ["-o", "json"], world: {} },
  headers: { words: ["-o", "csv", "--no-headers"], without: ["-o", "csv", "--headers"], world: {} },
  context: { words: ["-c", "other"], world: STORED },
  server: { words: ["--server", HTTPS], world: STORED },
  tokenFile: { words: ["--token-file", "other-token"], world: at(SERVER) },
  demo: { words: ["--demo"], world: { env: {} } },
  caFile: { words: ["--ca-file", "ca.pem"], world: at(HTTPS) },
  cert: { words: ["--cert", "client.pem"], world: at(HTTPS) },
  key: { words: ["--cert", "client.pem", "--key", "client.key"], without: ["--cert", "client.pem"], world: at(HTTPS) },
  keyPassphraseFile: {
    words: ["--cert", "client.pem", "--key-passphrase-file", "other-token"],
    without: ["--cert", "client.pem"],
    world: at(HTTPS),
  },
  proxy: { words: ["--proxy", "http://proxy.example.org:3128"], world: at(HTTPS) },
  allowHttp: { words: ["--allow-http"], world: at(HTTP) },
  confirm: { words: ["-c", "other", "--confirm", "other"], without: ["-c", "other"], world: STORED },
  reason: { words: ["--reason", "why"], world: at(SERVER) },
  dryRun: { words: ["--dry-run"], world: at(SERVER) },
  curl: { words: ["--curl"], world: at(SERVER) },
  timeout: { words: ["--timeout", "1s"], world: at(SERVER) },
  deadline: { words: ["--deadline", "1s"], world: at(SERVER) },
  retries: { words: ["--retries", "3"], without: ["--retries", "0"], world: at(SERVER) },
};
const FLAGS = Object.keys(TRIALS) as CommonFlag[];

function takes(path: string, flag: CommonFlag): boolean {
  return TAKEN.get(path)?.includes(requestFlagName(flag)) === true;
}

/** Lines on which flags show an effect that no example of their command does. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  "relayers list": ["relayers list"],
  "relayers get": ["relayers get eth-main-1"],
  "relayers status": ["relayers status"],
  "relayers balance": ["relayers balance eth-main-1"],
  api: ["api PATCH /relayers/eth-main-1 -F paused=true"],
  apply: ["apply -f config.json --yes"],
  "relayers rpc": ["relayers rpc base-hot eth_sendRawTransaction 0x00 --yes"],
  "tx send-many": ["tx send-many base-hot -f payouts.csv --speed fast"],
  "webhooks test": ["webhooks test --to https://hooks.example.org --signing-key-file signing.key"],
  "webhooks replay": [
    "webhooks replay deliveries.ndjson --to https://hooks.example.org --signing-key-file signing.key",
  ],
};

/** Worlds in which a command that needs a journal finds a change, a payment, and a write without an outcome. */
const WORLDS: Readonly<Record<string, () => Promise<World>>> = Object.fromEntries(
  ["undo", "history settle", "history costs"].map((path) => [path, written]),
);

async function written(): Promise<World> {
  const world = { ...at(SERVER), journal: memoryJournal(), store: demoStore() };
  await cli(`tx send base-hot --to 0x${"3c".repeat(20)} --value 3gwei --gas-limit 21000 --speed fast --yes`, world);
  await cli("relayers update base-hot --name warm", world);
  const { entries } = world.journal;
  return { store: world.store, journal: memoryJournal({ entries: [intent("lost"), ...entries] }) };
}

interface Seen {
  exitCode: number;
  /** Everything that a run did, as text. */
  text: string;
}

async function seen(argv: readonly string[], input: string | undefined, world: World, isDown: boolean): Promise<Seen> {
  const files = { ...world.files, "ca.pem": CERTIFICATE, ...CLIENT, "other-token": "another-token-0123456789" };
  const stdin = input === undefined ? {} : { stdin: files[input as keyof typeof files] ?? "" };
  const reached: unknown[] = [];
  const clock = manualClock();
  const sleep: typeof clock.sleep = async (time, signal) => {
    reached.push(time);
    await clock.sleep(time, signal);
  };
  const made = testApp({ ...stdin, ...world, files, clock: { ...clock, sleep } });
  const { network, journal } = made.app;
  made.app.journal = async (place) => {
    reached.push(place);
    return await journal(place);
  };
  made.app.network = async (options) => {
    const { origin, caCertificates, clientCertificate, proxy } = options;
    reached.push([origin, caCertificates, Object.values(clientCertificate ?? {}), proxy ?? null]);
    const send = await network(options);
    return async (request, limits) => {
      if (isDown && reached.push("down") < 9) throw new TransportFailure("connect", "refused", { sent: false });
      return await send(request, limits);
    };
  };
  const { exitCode, stdout, stderr } = await runHere(made, argv);
  const sent = made.requests.map(({ method, target, headers, body }) => [method, target, headers.authorization, body]);
  const all = [exitCode, stdout, stderr, sent, reached, made.config(), made.journal.entries];
  return { exitCode, text: writeJson(all as unknown as JsonValue) };
}

/** What follows `--` belongs to another command. */
function withFlags(argv: readonly string[], flags: readonly string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  return [...argv.slice(0, end), ...flags, ...argv.slice(end)];
}

async function hasEffect(path: string, file: AnyCommand, flag: CommonFlag, trial: Trial): Promise<boolean> {
  const { words, without = [], world } = trial;
  const field = flag === "fields" ? [file.resource?.fields[0] ?? ""] : [];
  for (const example of [...file.examples, ...(MORE[path] ?? [])]) {
    const { argv, input } = MORE[path]?.includes(example)
      ? { argv: example.split(" "), input: undefined }
      : typed(example);
    const run = async (more: readonly string[]) => {
      const around = { ...(SURROUNDINGS[example] ?? SURROUNDINGS[path]), ...(await WORLDS[path]?.()), ...world };
      return await seen(withFlags(argv, more), input, around, flag === "retries");
    };
    const having = await run([...words, ...field]);
    if (having.exitCode === 2 && flag !== "demo") continue;
    if (having.text !== (await run(without)).text) return true;
  }
  return false;
}

/** What has an effect in a world that no example has: a prompt, a queue, a fleet that differs, a receiver, or a kept journal, or time. */
const ELSEWHERE: Readonly<Record<string, readonly CommonFlag[] | "all">> = {
  ...{ "relayers edit": "all", "relayers unstick": "all", "tx bump": "all", "tx send-many": "all", undo: "all" },
  ...{ "history list": "all", "history show": "all", "history verify": "all", "history settle": "all" },
  ...{ "relayers guard": "all", top: "all", mcp: "all", approve: "all" },
  ...{ "history costs": "all", "webhooks listen": "all", "webhooks replay": ["caFile", "proxy"] },
  ...{
    "relayers balance": ["fields"],
    "relayers freeze": ["confirm"],
    "relayers clone": ["confirm"],
    "tx send": ["confirm"],
  },
  ...{ "tx cancel-pending": ["confirm"], "tx wait": ["query", "retries"], doctor: ["fields", "headers", "retries"] },
  ...{ plan: ["fields", "headers"], apply: ["fields", "headers", "confirm", "reason"], export: ["query", "headers"] },
  ...{ drift: ["fields", "query", "headers"], api: ["headers"], "server metrics": ["headers"] },
  ...{ topup: ["fields", "query", "headers", "confirm"], spend: ["fields"], "proposals list": ["fields", "headers"] },
  ...{
    "context set": ["proxy", "timeout", "deadline", "retries"],
    "label list": ["fields", "headers"],
    "auth login": ["deadline"],
    "auth status": ["deadline"],
  },
};

const CASES = COMMANDS.flatMap(([path, file]) => FLAGS.map((flag) => ({ path, file, flag })));
const SHOWN = CASES.filter(({ path, flag }) => {
  const elsewhere = ELSEWHERE[path] ?? [];
  return takes(path, flag) && elsewhere !== "all" && !elsewhere.includes(flag);
});
const REFUSED = CASES.filter(({ path, flag }) => !takes(path, flag) && flag !== "fields");

/** In a run that is not deep, every so many-th. */
const someOf = (cases: typeof CASES, every: number) => cases.filter((_, at) => DEEP || at % every === 0);

test.each(someOf(SHOWN, 61))("$path has an effect of $flag", async (each) => {
  const trial = TRIALS[each.flag];
  expect(trial && (await hasEffect(each.path, each.file, each.flag, trial))).toBe(true);
});

test.each(someOf(REFUSED, 19))("$path refuses $flag", async ({ path, file, flag }) => {
  const line = withFlags(typed(file.examples[0] ?? "").argv, TRIALS[flag]?.words ?? []);
  await says({ exitCode: 2, requests: [] }, line, requestFlagName(flag), { env: {}, ...SURROUNDINGS[path] });
});

const OWN = new Map(DESCRIBED.map(({ command, flags }) => [command, flags.flatMap(({ names }) => names)]));
const ROOT = words.program.flags.map(({ names }) => names.at(-1) ?? "").filter((name) => name !== "--version");

test("completion offers exactly the common flags that have an effect", async () => {
  for (const [path] of COMMANDS) {
    const { candidates } = await offered(`relayctl ${path} --`);
    const shown = new Set(candidates.map(({ word }) => word.replace(/^--no-/, "--")));
    const own = new Set(OWN.get(path));
    const positive = ROOT.map((name) => name.replace(/^--no-/, "--")).filter((name) => !own.has(name));
    expect(
      positive.filter((name) => shown.has(name)),
      path,
    ).toEqual(positive.filter((name) => TAKEN.get(path)?.includes(name)));
  }
});

test.each(["version", "completion bash", "help flags"])("an alias can contain its flags before %s", async (line) => {
  const run = async (argv: string) => await runHere(testApp({ env: {} }), argv.split(" "));
  const plain = await run(line);
  const ran = await exited({ exitCode: 0, stderr: "" }, run(`-q -v -y --color never --no-input --no-pager ${line}`));
  expect(ran.stdout).toBe(plain.stdout);
});

const ENDLESS = ["serve", "mcp"];
const WITHOUT_DATA = DESCRIBED.filter(({ command, output }) => output.length === 0 && !ENDLESS.includes(command));
const EXAMPLES = new Map(COMMANDS.map(([path, { examples }]) => [path, examples]));

test.each(WITHOUT_DATA)(
  "$command prints no text with -o json, or refuses the flag",
  async ({ command, common_flags }) => {
    for (const example of EXAMPLES.get(command) ?? []) {
      const { argv, input } = typed(example);
      const around = SURROUNDINGS[example] ?? SURROUNDINGS[command];
      const stdin = input === undefined ? {} : { stdin: around?.files?.[input] ?? "" };
      const ran = await cli([...argv, ...(argv.includes("-o") ? [] : ["-o", "json"])], {
        env: {},
        ...around,
        ...stdin,
      });
      if (common_flags.includes("--output")) expect(ran.stdout, example).toBe("");
      else expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--output") });
    }
  },
);

test.each(["flags", "exit-codes", "topics"])("help %s is an object with -o json", async (topic) => {
  const { stdout: text } = await cli(`help ${topic}`, { env: {} });
  for (const line of [`help ${topic} -o json`, `-o json help ${topic}`, `help ${topic} --json`]) {
    const { exitCode, stdout } = await cli(line, { env: {} });
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { topic, text }]);
  }
  expect(await cli(`help ${topic}`, { env: { RELAYCTL_OUTPUT: "json" } })).toMatchObject({ exitCode: 0, stdout: text });
});

test.each(sampled(COMMANDS, 6))("%s shapes its errors as -o says", async (path) => {
  const { stderr } = await exits(2, `${path} --no-such-flag -o json`, { env: {} });
  expect(JSON.parse(stderr)).toHaveProperty("error.code", "usage");
});
