import { setMaxListeners } from "node:events";
import { join } from "node:path";
import type { App } from "./app.ts";
import { runArgv } from "./cli/run.ts";
import { removeOldIds } from "./completion/kept-ids.ts";
import { createLentTerminal, type LentTerminal } from "./config/editor/lent-terminal.ts";
import type { Environment } from "./config/environment.ts";
import { createFiles } from "./config/files/files.ts";
import { accessOfOthers } from "./config/files/privacy.ts";
import { createTextFile } from "./config/files/text-file.ts";
import { configFolder, locationSubfolder, stateFolder } from "./config/location.ts";
import { createProjectFile } from "./config/project/project-file.ts";
import { createConfigStore } from "./config/store.ts";
import { createSecrets } from "./config/token/secrets.ts";
import { createEmbeddedServers, type EmbeddedWorld, openDemo, resetDemo, stateFile } from "./embedded.ts";
import { type EngineFlags, heapLimit } from "./engine.ts";
import { readShipped } from "./installation.ts";
import { isTerminal } from "./is-terminal.ts";
import { createJobControl, processes, whoRuns } from "./job-control.ts";
import { createOpenJournal, wroteSince } from "./journal/open-once.ts";
import { createNetworkLookup, openNetwork } from "./network.ts";
import {
  clock,
  closeGoneTerminals,
  endProcessSoon,
  openWaiting,
  promptStreams,
  random,
  signalGroup,
  standardInput,
} from "./system.ts";
import { hasColor, hasPlainLines } from "./terminal/capabilities.ts";
import { createInput } from "./terminal/streams/input.ts";
import { leavingStream } from "./terminal/streams/leaving-stream.ts";
import { createOutput } from "./terminal/streams/output.ts";
import { createStyle } from "./terminal/style.ts";
import { runtimeOf } from "./version.ts";

const { platform } = process;
const MAX_KEPT_BYTES = 64 * 2 ** 10;
const MAX_PROPOSAL_BYTES = 2 ** 20;

interface Own {
  engineFlags: EngineFlags;
  lendTerminal: LentTerminal["lendTerminal"];
  env: Environment;
}

interface World extends Own, Pick<App, "interrupt" | "abandon" | "secrets"> {
  surroundings: EmbeddedWorld;
  jobs: ReturnType<typeof createJobControl>;
  note(text: string): Promise<void>;
}

/** Creates the real `App`. Streams and libraries open on first use. */
function createApp(interrupt: AbortSignal, abandon: AbortSignal, own: Own): App {
  const { engineFlags, env } = own;
  const secrets = createSecrets();
  const jobs = createJobControl(clock);
  if (env.RELAYCTL_TOKEN) secrets.add(env.RELAYCTL_TOKEN);
  const surroundings = { clock, random, interrupt };
  const output = (name: "stdout" | "stderr", descriptor: number) => {
    const open = () => leavingStream(process[name], surroundings);
    return createOutput(name, { isTerminal: isTerminal(descriptor), open, jobs }, secrets);
  };
  const stderr = openOnce(() => output("stderr", 2));
  const stdout = openOnce(() => output("stdout", 1));
  const stdin = openOnce(() => createInput(standardInput()));
  const findAddresses = createNetworkLookup(clock);
  const note = (text: string) => stderr().write(`note: ${text}\n`);
  const world: World = { ...own, interrupt, abandon, secrets, surroundings, jobs, note };
  return {
    ...surroundings,
    ...createStores(world),
    ...createFileAccess(world),
    ...createTerminal(world),
    env,
    secrets,
    links: { words: new Map(), places: new Map() },
    abandon,
    get stdin() {
      return stdin();
    },
    stdinChunks: () => stdin().chunks(),
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    inTemporaryFolder: async (use) => {
      const { withPrivateFolder } = await import("./config/files/private-files.ts");
      return await withPrivateFolder(async (folder) => {
        const others = Object.entries(env).filter(([name]) => !/^RELAYCTL_(?!ACCESSIBLE$)/.test(name));
        const kept = { ...Object.fromEntries(others), RELAYCTL_CONFIG_DIR: folder };
        return await use(createApp(interrupt, abandon, { ...own, env: kept }), folder);
      });
    },
    network: async (options) =>
      await openNetwork(
        { ...options, findAddresses, beforeParsing: engineFlags.compileParserOnce, copied: engineFlags.copied },
        note,
      ),
    demo: () => openDemo(surroundings, env),
    resetDemo: () => resetDemo(surroundings, env),
    heapLimit,
    runtime: runtimeOf(process),
    machine: async () => (await import("./config/machine/machine.ts")).createMachine(env, platform),
    whoRuns,
    manyPass: openOnce(engineFlags.keepHeapSmall),
    ...createEmbeddedServers({ surroundings, findAddresses }),
  };
}

/** Opens the config, project files, and journals. */
function createStores({ env, secrets, abandon, surroundings, note }: World) {
  const openJournal = createOpenJournal(
    { surroundings: { clock, random, interrupt: abandon }, note, processes },
    { env, platform },
    process.geteuid?.(),
  );
  return {
    config: createConfigStore({
      folder: () => configFolder(env, platform),
      surroundings,
      user: process.geteuid?.(),
      note,
    }),
    projectFile: createProjectFile({
      folder: workingFolder,
      home: env.HOME,
      state: () => stateFolder(env, platform),
      surroundings,
      user: process.geteuid?.(),
      note,
      redact: secrets.redact,
    }),
    journal: async (place) => {
      const { redactingJournal } = await import("./session/journaling/redacting-journal.ts");
      return redactingJournal(await openJournal(place), secrets.redact);
    },
    wroteSince: (place, time) => wroteSince(place, time, env, platform),
  } satisfies Partial<App>;
}

function createFileAccess({ env, interrupt, surroundings }: World) {
  return {
    files: createFiles({ interrupt, openWaiting }),
    lineFile: async (place) => {
      const files = await import("./config/files/line-file.ts");
      if (typeof place === "string") return await files.createLineFile(place);
      return await files.createRunLineFile(locationSubfolder("retry", env, platform), place.run, clock.now());
    },
    textFile: (path, maxBytes) => createTextFile(path, { surroundings, maxBytes, inUsersFolder: true }),
    proposalFile: (name) =>
      createTextFile(join(locationSubfolder("proposals", env, platform), name), {
        surroundings,
        maxBytes: MAX_PROPOSAL_BYTES,
      }),
    proposalNames: () => createFiles({ interrupt, openWaiting }).list(locationSubfolder("proposals", env, platform)),
    privateFiles: async (texts, use) =>
      await (await import("./config/files/private-files.ts")).withPrivateFiles(texts, use),
    keepForCompletion: (name, make) => keepForCompletion(name, make, { surroundings, env }),
    kept: (name, folder = locationSubfolder("kept", env, platform)) =>
      createTextFile(join(folder, name), { surroundings, maxBytes: MAX_KEPT_BYTES }),
    othersMay: (path) => accessOfOthers(path, process.geteuid?.()),
  } satisfies Partial<App>;
}

/** Opens prompts, keys, and other programs, some of which use the terminal. */
function createTerminal({ env, secrets, interrupt, abandon, jobs, lendTerminal }: World) {
  const terminal = openOnce(promptStreams);
  return {
    prompts: async ({ color = "auto", context } = {}) => {
      const { maskedPrompts } = await import("./terminal/prompts.ts");
      const { streamsForPeople } = await import("./terminal/prompts/ascii-stream.ts");
      const streams = { ...streamsForPeople(terminal(), env), interrupt, jobs, clock };
      if (hasPlainLines(env))
        return maskedPrompts((await import("./terminal/prompts/plain.ts")).createPlainPrompts(streams), secrets);
      const style = await createStyle(hasColor(env, color, true));
      const { createPrompts } = await import("./terminal/prompts/inquirer.ts");
      return maskedPrompts(createPrompts(streams, { style, context }), secrets);
    },
    keyboard: async () => {
      const { createKeyboard } = await import("./terminal/keyboard.ts");
      return createKeyboard({ input: terminal().input, jobs, clock });
    },
    editorFile: async (name) => {
      const { createEditorFile } = await import("./config/editor/editor-file.ts");
      return await createEditorFile(name, { env, platform, interrupt, clock, lendTerminal });
    },
    pager: async () => {
      const { startPager } = await import("./config/pager/start-pager.ts");
      const pager = await startPager({ env, clock, interrupt, lendTerminal });
      if (!pager || "problem" in pager) return pager;
      const open = () => pager.input;
      return { output: createOutput("the pager", { isTerminal: true, open }, secrets), close: pager.close };
    },
    openPage: async (url) => (await import("./config/browser/open-page.ts")).openBrowserPage(url, { env, platform }),
    execute: async (argv, { stop = interrupt, lasting, ...limits }) => {
      const { runProgram } = await import("./config/token/run-program.ts");
      const ends = lasting && interrupt.aborted ? abandon : AbortSignal.any([interrupt, stop]);
      return await runProgram(argv, limits, { env, clock, interrupt: ends, signalGroup });
    },
  } satisfies Partial<App>;
}

function openOnce<T>(open: () => T): () => T {
  let opened: T | undefined;
  return () => (opened ??= open());
}

function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

async function keepForCompletion(
  name: string,
  make: Parameters<App["keepForCompletion"]>[1],
  { surroundings, env }: { surroundings: EmbeddedWorld; env: Environment },
): Promise<void> {
  const folder = locationSubfolder("completion", env, platform);
  await removeOldIds(folder, clock.now());
  await stateFile(join(folder, name), surroundings).renew(make);
}

const SIGNALS = { SIGINT: "interrupted", SIGTERM: "terminated", SIGHUP: "hung_up" } as const;

/** Runs the command line of this process. Until the outcome is known, the exit code indicates failure. */
export async function main(engineFlags: EngineFlags): Promise<void> {
  process.exitCode = 1;
  // Every wait and write of a command listens to its signals, which Node would report as a leak on stderr.
  setMaxListeners(0);
  const terminal = createLentTerminal(clock);
  const interrupt = new AbortController();
  const abandon = new AbortController();
  for (const [signal, reason] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (signal === "SIGINT" && terminal.isTerminalLent()) return;
      // A closing terminal sends SIGHUP twice: from its shell, and from the kernel once that shell has ended.
      if (signal === "SIGHUP" && interrupt.signal.aborted) return;
      (interrupt.signal.aborted ? abandon : interrupt).abort(reason);
      process.stdin.destroy();
    });
  }
  closeGoneTerminals();
  // Without a listener, this signal opens the inspector of a process that has a token.
  process.on("SIGUSR1", () => {});
  // Below a limit of file size (`ulimit -f`), a library of the config would end the process: the write has to fail instead.
  process.on("SIGXFSZ", () => {});
  const app = createApp(interrupt.signal, abandon.signal, {
    engineFlags,
    lendTerminal: terminal.lendTerminal,
    env: process.env,
  });
  process.exitCode = await runArgv(app, process.argv.slice(2), async () => {
    const { shippedCommands } = await import("./cli/parsing/shipped-commands.ts");
    return shippedCommands(readShipped);
  });
  endProcessSoon(interrupt.signal);
}
