import type { App } from "../../src/app.ts";
import type { Clock } from "../../src/client/clock.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import type { Config, Context } from "../../src/config/config.ts";
import type { ExtendedFile } from "../../src/config/files/extended-file.ts";
import type { Machine } from "../../src/config/machine/machine.ts";
import { createSecrets } from "../../src/config/token/secrets.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { createEmbeddedServer } from "../../src/embedded-server/server.ts";
import { memoryStore, type ServerStore } from "../../src/embedded-server/state/store.ts";
import { RelayctlError, usageError } from "../../src/errors.ts";
import { redactingJournal } from "../../src/session/journaling/redacting-journal.ts";
import type { Keyboard } from "../../src/terminal/keyboard.ts";
import { maskedPrompts } from "../../src/terminal/prompts.ts";
import type { JobControl } from "../../src/terminal/streams/output.ts";
import { manualClock } from "./manual-clock.ts";
import { type MemoryJournal, memoryJournal } from "./memory/journal.ts";
import { memoryLines } from "./memory/lines.ts";
import { type MemoryOutput, memoryOutput } from "./memory/output.ts";
import { CANARY_TOKEN, GENERATED_KEY } from "./scan.ts";
import { type ScriptedEdit, scriptedEditor } from "./scripted-editor.ts";
import { type ScriptedAnswer, type ScriptMistake, scriptedPrompts } from "./scripted-prompts.ts";
import { seedState } from "./seed-state.ts";

/** What a test may say about the world of a command. */
export interface World {
  env?: Record<string, string>;
  /** stdin's content; it is a terminal when `terminal` is set. */
  stdin?: string;
  /** stdin as it arrives (default: its content). */
  stdinChunks?: App["stdinChunks"];
  /** stdin, stdout and stderr are terminals. */
  terminal?: boolean;
  stdoutTerminal?: boolean;
  columns?: number;
  rows?: number;
  files?: Record<string, string>;
  config?: Config;
  /** Takes the place of the embedded server. */
  service?: Transport;
  /** The nodes at these origins, which are reached directly. */
  nodes?: Readonly<Record<string, Transport>>;
  /** The embedded server's seed. */
  seed?: string;
  /** The embedded server's state, to run several commands against the same one. */
  store?: ServerStore;
  /** The journal of every place, to run several commands with the same one. */
  journal?: MemoryJournal;
  /** The journals of folders that are not that one, by their paths. */
  journals?: Readonly<Record<string, MemoryJournal>>;
  /** What is kept between commands, by the paths of its files. */
  kept?: Map<string, string>;
  lineFiles?: Map<string, string[]>;
  /** The pager of a terminal (default: none). */
  pager?: App["pager"];
  /** How many lines such a file takes before the disk is full. */
  linesOfRoom?: number;
  /** The texts that were added to files (default: the disk is full). */
  appended?: (readonly [path: string, text: string])[];
  /** The files that were created (default: the disk is full). */
  created?: Map<string, string>;
  proposals?: Map<string, string>;
  /** How many characters a file that is added to takes before the disk is full. */
  room?: number;
  /** What other users may do to a file or folder (default: nothing). */
  othersMay?: App["othersMay"];
  /** The project file of the working directory (default: none). */
  projectFile?: App["projectFile"];
  configStore?: Partial<App["config"]>;
  /** What runs the program (default: an unknown version of Node.js). */
  runtime?: Partial<App["runtime"]>;
  /** What is seen of the machine (default: nothing is wrong with it). */
  machine?: Partial<Machine>;
  /** What every write to stdout rejects with: a full disk, a closed pipe. */
  stdoutFault?: Error;
  stderrFault?: Error;
  /** What the user enters at prompts, in order. */
  answers?: readonly ScriptedAnswer[];
  /** The keys that are typed (default: `q` at once). */
  keyboard?: Keyboard;
  /** What stops the process at Ctrl-Z (default: nothing). */
  jobs?: JobControl;
  /** The user's edits, one each time the editor is opened. */
  edits?: readonly ScriptedEdit[];
  interrupt?: AbortSignal;
  /** The bytes that the heap may take (default: 4 GiB). */
  heapLimit?: number;
  /** What asks the served embedded server, and ends. */
  serve?: App["serve"];
  /** What sends requests to a receiver. */
  receive?: App["receive"];
  /** What a program does when it is run; a token command by default. */
  execute?: App["execute"];
  /** The user of the operating system (default: ada). */
  user?: string;
  /** What opens a page (default: it cannot be opened). */
  openPage?: App["openPage"];
  /** Time, where it is not to pass by itself. */
  clock?: Clock;
  /** Set if the data does not have the documented types, so that no schema describes what is printed. */
  isMalformed?: true;
}

/** As wide as no line for the user is, so that none is wrapped unless a test says how wide its terminal is. */
const WIDE = 10_000;

export const SERVER = "http://127.0.0.1:8080";
export const TOKEN = CANARY_TOKEN;

/** A world whose only context, `prod`, is the service. */
export function inProd(context: Partial<Context> = {}): Pick<World, "env"> & { config: Config } {
  const prod = { server: SERVER, token: TOKEN, ...context };
  return { env: {}, config: { version: 1, current: "prod", contexts: { prod } } };
}

/** A whole world in memory, and what was seen of it afterwards. */
export function testApp(world: World = {}) {
  const secrets = createSecrets();
  const requests: WireRequest[] = [];
  const questions: string[] = [];
  const offered: (readonly string[])[] = [];
  const mistakes: ScriptMistake[] = [];
  const prompts = scriptedPrompts(world.answers ?? [], questions, offered, mistakes);
  const editor = scriptedEditor(world.edits ?? []);
  const { interrupt = new AbortController().signal } = world;
  const clock = manualClock(undefined, interrupt);
  let ids = 0;
  const random = { uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
  let { service } = world;
  const transport: Transport = async (request, limits) => {
    requests.push(request);
    // Most commands of some files send nothing, and creating the state takes longer than such a command.
    service ??= createEmbeddedServer({
      token: TOKEN,
      store: world.store ?? memoryStore(seedState(world.seed ?? "demo")),
      clock,
      random,
    });
    return await service(request, limits);
  };
  const terminal = world.terminal ?? false;
  const { redact } = secrets;
  const output = (isTerminal: boolean, columns: number) =>
    memoryOutput({
      ...{ terminal: isTerminal, columns: world.columns ?? columns, rows: world.rows ?? 24 },
      ...{ jobs: world.jobs, redact },
    });
  const stdout = faulty(output(world.stdoutTerminal ?? terminal, 120), world.stdoutFault);
  const stderr = faulty(output(terminal, WIDE), world.stderrFault);
  const journal = world.journal ?? memoryJournal();
  const kept = world.kept ?? new Map<string, string>();
  const unread = [world.stdin];
  let config: Config = world.config ?? { version: 1, contexts: {} };
  const app: App = {
    env: world.env ?? { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN },
    clock: world.clock ?? clock,
    random: { ...random, key: () => GENERATED_KEY },
    secrets,
    links: { words: new Map(), places: new Map() },
    stdout,
    stderr,
    stdin: { isTerminal: terminal, read: async () => new TextEncoder().encode(unread.splice(0).join("")) },
    stdinChunks: world.stdinChunks ?? (() => new Blob([world.stdin ?? ""]).stream()),
    files: {
      read: async (path) => fileOf(world, path),
      list: async (folder) =>
        Object.keys(world.files ?? {}).flatMap((path) =>
          path.startsWith(`${folder}/`) && !path.includes("/", folder.length + 1) ? path.slice(folder.length + 1) : [],
        ),
      append: async (path, text) => {
        if (world.appended === undefined) throw new RelayctlError("io", `${path}: the disk is full`);
        world.appended.push([path, text]);
      },
      extend: async (path) => extended(world, path),
      load: async (path) => world.files?.[path],
      real: async (path) =>
        path === "." ||
        world.files?.[path] !== undefined ||
        Object.keys(world.files ?? {}).some((one) => one.startsWith(`${path}/`))
          ? path
          : undefined,
      expectFolder: async () => {},
      replace: async (path, { before, after }) => {
        const files = world.files ?? {};
        if (files[path] !== before) throw new RelayctlError("conflict", `${path}: changed since it was read`);
        files[path] = after;
      },
      create: async (path, text) => {
        if (world.created === undefined) throw new RelayctlError("io", `${path}: cannot be written: the disk is full`);
        if (world.created.has(path) || world.files?.[path] !== undefined)
          throw usageError([{ where: path, rule: "cannot be written: something else already exists there" }]);
        world.created.set(path, text);
      },
    },
    config: {
      path: "config.json",
      read: async () => config,
      change: async (edit, failed) => {
        try {
          config = await edit(config);
        } catch (error) {
          await failed?.();
          throw error;
        }
      },
      ...world.configStore,
    },
    projectFile: world.projectFile,
    interrupt,
    abandon: new AbortController().signal,
    prompts: async () => maskedPrompts(prompts, secrets),
    keyboard: async () => world.keyboard ?? leavingKeyboard(),
    editorFile: editor.open,
    lineFile: memoryLines(world.lineFiles ?? new Map(), world.linesOfRoom ?? Number.POSITIVE_INFINITY),
    textFile: (path) => ({
      change: async (edit) => {
        const files = world.files ?? {};
        files[path] = [...(await edit(files[path]))].join("");
      },
    }),
    ...proposalsOf(world),
    inTemporaryFolder: async (use) => {
      const { app: other } = testApp({ ...world, answers: [], config: { version: 1, contexts: {} } });
      return await use({ ...other, stdout, stderr }, "/tmp/other");
    },
    // The paths are the texts.
    privateFiles: async (texts, use) => await use(texts.map((text) => [...text].join(""))),
    journal: async (place) =>
      redactingJournal((typeof place === "object" && world.journals?.[place.folder]) || journal, redact),
    wroteSince: (_, time) => journal.entries.some((entry) => Date.parse(entry.time) >= time),
    network: async ({ origin }) => world.nodes?.[origin] ?? transport,
    demo: async () => ({ transport, token: TOKEN }),
    resetDemo: async () => {},
    pager: world.pager ?? (async () => undefined),
    ...machineOf(world),
    whoRuns: () => ({ user: world.user ?? "ada", host: "console" }),
    heapLimit: () => world.heapLimit ?? 4 * 2 ** 30,
    manyPass: () => {},
    keepForCompletion: async (name, make) => void kept.set(name, await make(kept.get(name))),
    kept: (name, folder) => {
      const path = folder === undefined ? name : `${folder}/${name}`;
      return {
        load: async () => kept.get(path),
        renew: async (make) => void kept.set(path, await make(kept.get(path))),
      };
    },
    serve: world.serve ?? serveNothing,
    execute: world.execute ?? (async () => ({ stdout: `${TOKEN}\n` })),
  };
  return {
    app,
    requests,
    questions,
    offered,
    mistakes,
    editor,
    clock,
    stdout,
    stderr,
    kept,
    journal,
    isMalformed: world.isMalformed === true,
    config: () => config,
  };
}

const serveNothing: App["serve"] = async ({ listening, port, incident }) => {
  await listening(port);
  const counts = { paid_twice: 0, lost: 0, minutes_blind: 0, needless_cancellations: 0 };
  incident?.ended({ isOver: false, milliseconds: 0, counts, writes: [] });
};

function leavingKeyboard(): Keyboard {
  return {
    listen(pressed) {
      queueMicrotask(() => pressed("q"));
      return () => {};
    },
  };
}

function proposalsOf({ proposals = new Map() }: World): Pick<App, "proposalFile" | "proposalNames"> {
  return {
    proposalFile: (name) => ({
      path: `proposals/${name}`,
      load: async () => proposals.get(name),
      change: async (edit) => void proposals.set(name, [...(await edit(proposals.get(name)))].join("")),
    }),
    proposalNames: async () => [...proposals.keys()],
  };
}

function machineOf({
  openPage = async () => "no page may be opened",
  othersMay = () => undefined,
  runtime: given,
  receive,
  machine: seen,
}: World) {
  const receiveNothing: App["receive"] = async ({ listening, port }) => await listening(port);
  const runtime: App["runtime"] = { name: "node", version: "99.0.0", platform: "linux-x64", ...given };
  const machine: Machine = {
    programs: (name) => [`/usr/bin/${name}`],
    canRun: () => true,
    canWrite: () => true,
    changedAt: () => undefined,
    expiries: () => [Date.parse("2100-01-01T00:00:00Z")],
    chain: () => ({ ends: Date.parse("2100-01-01T00:00:00Z"), others: 0 }),
    ...seen,
  };
  return { openPage, othersMay, runtime, receive: receive ?? receiveNothing, machine: async () => machine };
}

/** A file that grows in `appended` until it has no more room there. */
function extended({ appended, room = Number.POSITIVE_INFINITY }: World, path: string): ExtendedFile {
  if (appended === undefined) throw usageError([{ where: path, rule: "cannot be written: permission denied" }]);
  const sizeOf = () => appended.reduce((sum, [file, text]) => (file === path ? sum + text.length : sum), 0);
  return {
    get size() {
      return sizeOf();
    },
    add: async (text) => {
      if (sizeOf() + text.length > room) throw new RelayctlError("io", `${path}: cannot be written: the disk is full`);
      appended.push([path, text]);
    },
    close: async () => {},
  };
}

function fileOf(world: World, path: string): Uint8Array {
  const text = world.files?.[path] ?? world.created?.get(path);
  if (text === undefined) throw usageError([{ where: path, rule: "cannot be read: it does not exist" }]);
  return new TextEncoder().encode(text);
}

function faulty(output: MemoryOutput, fault: Error | undefined): MemoryOutput {
  return fault ? { ...output, write: () => Promise.reject(fault) } : output;
}
