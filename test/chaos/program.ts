import { setMaxListeners } from "node:events";
import { stripVTControlCharacters } from "node:util";
import type { App } from "../../src/app.ts";
import { runArgv } from "../../src/cli/run.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import type { Config, Context } from "../../src/config/config.ts";
import { createSecrets } from "../../src/config/token/secrets.ts";
import type { Entry } from "../../src/journal/journal.ts";
import { memoryOutput } from "../helpers/memory/output.ts";
import { scriptedPrompts } from "../helpers/scripted-prompts.ts";
import type { Attempt, Network } from "./model/network.ts";
import { OWN_NODE_URL, type OwnNode, ownNodeTransport } from "./model/own-node.ts";
import type { ModelWorld } from "./model/world.ts";

export interface Ran {
  argv: readonly string[];
  attempts: Attempt[];
  /** How much of the chain's changes it may have seen: from the first to the last index. */
  from: number;
  to: number;
  /** How many changes the relayers had had at its start and at its end. */
  changes: { from: number; to: number };
  /** The newest block at its end. */
  head: number;
  /** Undefined if it was killed, or hangs. */
  exitCode: number | undefined;
  isKilled: boolean;
  /** What it waits for: sleeps and responses. While there is nothing, it computes, or loads its own code. */
  waits: number;
  stdout: string;
  stderr: string;
  /** Whether its writes are recorded, and whether it may write without that. */
  journal: "none" | "kept" | "required";
  /** Its lines on the disk, and how many attempts it had made by then; `isUnsure` if their sync failed, so that it takes them as missing. */
  entries: { entry: Entry; attempts: number; isUnsure?: boolean }[];
}

/** How the program gets its service, and with that its journal. */
export const SETTINGS = ["variables", "variables and journal", "context", "strict context"] as const;
export type Setting = (typeof SETTINGS)[number];

export interface RunOptions {
  setting?: Setting;
  /** Milliseconds until SIGKILL. */
  kill?: number | undefined;
  /** Milliseconds until SIGINT. */
  interrupt?: number | undefined;
  /** What a user enters at a question. */
  answer?: boolean;
  /** The user's own node, and whether a variable specifies it for every command. */
  ownNode?: { kind: OwnNode; isInEnv: boolean } | undefined;
  /** The user's files, by their names. */
  files?: Readonly<Record<string, string>>;
  /** Called each time the service responds to it. */
  watch?: () => void;
  /** Distinguishes the run from others of a life: its random ID ends in it. */
  number?: number;
}

const SERVER = "http://127.0.0.1:8080";
const TOKEN = "chaos-token-of-32-characters-0001";

/** Runs the program in this process, and resolves once it ended or was killed. */
export async function runProgram(
  world: ModelWorld,
  network: Network,
  argv: readonly string[],
  { kill, interrupt, answer, ownNode, setting = "variables", files = {}, watch, number = 0 }: RunOptions = {},
): Promise<Ran> {
  const { timeline, chain, fleet } = world;
  const from = chain.changes.length;
  const changes = { from: fleet.changes.length, to: fleet.changes.length };
  const ran: Ran = {
    argv,
    attempts: [],
    from,
    to: from,
    changes,
    head: 0,
    exitCode: undefined,
    isKilled: false,
    waits: 0,
    stdout: "",
    stderr: "",
    journal: journalOf(setting, argv),
    entries: [],
  };
  const stop = new AbortController();
  // Each request in progress listens to it.
  setMaxListeners(0, stop.signal);
  const app = createApp(world, network, ran, {
    interrupt: stop.signal,
    answer,
    ownNode,
    setting,
    files,
    watch,
    number,
  });
  world.running.add(ran);
  world.note(`relayctl ${argv.join(" ")}`);
  return await new Promise((resolve) => {
    const end = () => {
      world.running.delete(ran);
      ran.to = chain.changes.length;
      changes.to = fleet.changes.length;
      ran.head = chain.head.number;
      ran.stdout = app.stdout.text();
      ran.stderr = stripVTControlCharacters(app.stderr.text());
      world.note(`relayctl ${argv.join(" ")}: exit ${ran.exitCode ?? "by a kill"}\n${ran.stderr}`);
      resolve(ran);
    };
    if (interrupt !== undefined) timeline.wakeAfter(interrupt, () => stop.abort("interrupted"));
    if (kill !== undefined)
      timeline.wakeAfter(kill, () => {
        if (ran.exitCode !== undefined) return;
        ran.isKilled = true;
        end();
      });
    void runArgv(app, argv).then((code) => {
      if (ran.isKilled) return;
      ran.exitCode = code;
      end();
    });
  });
}

function journalOf(setting: Setting, argv: readonly string[]): Ran["journal"] {
  if (setting === "strict context" || argv.includes("--once") || argv[1] === "send-many") return "required";
  return setting === "variables" ? "none" : "kept";
}

interface Surroundings {
  setting: Setting;
  interrupt: AbortSignal;
  answer: boolean | undefined;
  ownNode: RunOptions["ownNode"];
  files: Readonly<Record<string, string>>;
  watch: RunOptions["watch"];
  number: number;
}

function createApp(world: ModelWorld, network: Network, ran: Ran, surroundings: Surroundings) {
  const { interrupt, answer, ownNode, setting, files, watch, number } = surroundings;
  const { timeline, chance } = world;
  const secrets = createSecrets();
  const terminal = answer !== undefined;
  const output = () => memoryOutput({ terminal, columns: 1_000, rows: 24, redact: (text) => secrets.redact(text) });
  const isAlive = () => !ran.isKilled;
  const send = network.transportFor(ran.attempts, isAlive, watch, ran.journal !== "none");
  const transport: Transport = (request, limits) => counted(ran, send(request, limits));
  const askOwn = ownNode && ownNodeTransport(world, ownNode.kind);
  const transportToOwn: Transport = (request, limits) =>
    counted(ran, askOwn ? askOwn(request, limits) : unused()).then((response) => alive(response, isAlive));
  const unused = () => Promise.reject(new Error("not part of the model"));
  const { elapsed, sleep } = timeline.clock;
  const now = () => timeline.clock.now() + world.deceptions.clockAhead;
  const app = {
    env: {
      ...(setting.startsWith("variables") && { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN }),
      ...(setting === "variables and journal" && { RELAYCTL_JOURNAL: "journal" }),
      ...(ownNode?.isInEnv && { RELAYCTL_NODE_CHAOSNET: OWN_NODE_URL }),
    },
    // A killed program never wakes up.
    clock: {
      now,
      elapsed,
      sleep: (milliseconds, signal) =>
        counted(
          ran,
          sleep(milliseconds, signal).then(() => alive(undefined, isAlive)),
        ),
    },
    random: {
      uuid: () => `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`,
      // Runs of payments draw their gas limits from few, so that they meet.
      fraction: () => chance.below(number > 0 ? 3 : 1_000) / 1_000,
      key: () => "",
    },
    secrets,
    links: { words: new Map(), places: new Map() },
    stdout: output(),
    stderr: output(),
    stdin: { isTerminal: terminal, read: async () => new Uint8Array() },
    stdinChunks: async function* () {},
    files: {
      read: async (path) => (files[path] === undefined ? await unused() : new TextEncoder().encode(files[path])),
      ...{ list: async () => [], append: unused, create: unused, extend: unused },
      ...{ load: unused, real: unused, expectFolder: unused, replace: unused },
    },
    config: { path: "config.json", read: async () => configOf(setting), change: unused },
    interrupt,
    abandon: new AbortController().signal,
    prompts: async () => scriptedPrompts([answer === true, answer === true, answer === true], []),
    keyboard: unused,
    editorFile: unused,
    lineFile: unused,
    textFile: () => ({ change: unused }),
    proposalFile: (path) => ({ path, load: unused, change: unused }),
    proposalNames: unused,
    inTemporaryFolder: unused,
    privateFiles: unused,
    journal: async () => world.disk.journalFor(ran),
    wroteSince: () => true,
    network: async ({ origin }) => (OWN_NODE_URL.startsWith(origin) ? transportToOwn : transport),
    demo: unused,
    resetDemo: unused,
    whoRuns: () => ({ user: "ada", host: "console" }),
    machine: () => Promise.reject(new Error("no machine is examined")),
    othersMay: () => undefined,
    runtime: { name: "node", version: "99.0.0", platform: "linux-x64" },
    heapLimit: () => 4 * 2 ** 30,
    manyPass: () => {},
    keepForCompletion: async () => {},
    kept: () => ({ load: async () => undefined, renew: async () => {} }),
    serve: unused,
    pager: async () => undefined,
    receive: unused,
    execute: unused,
    openPage: unused,
  } satisfies App;
  return app;
}

function configOf(setting: Setting): Config {
  if (setting.startsWith("variables")) return { version: 1, contexts: {} };
  const context: Context = {
    server: SERVER,
    token: TOKEN,
    ...(setting === "strict context" && { journal: "required" }),
  };
  return { version: 1, current: "chaos", contexts: { chaos: context } };
}

export async function counted<T>(ran: { waits: number }, waiting: Promise<T>): Promise<T> {
  ran.waits++;
  try {
    return await waiting;
  } finally {
    ran.waits--;
  }
}

/** Passes a value to a program that was not killed. */
export async function alive<T>(value: T, isAlive: () => boolean): Promise<T> {
  return isAlive() ? value : await new Promise(() => {});
}
