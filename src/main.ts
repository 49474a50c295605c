import { join } from "node:path";
import type { App, ServeOptions } from "./app.ts";
import { run } from "./cli/run.ts";
import type { Exchange } from "./client/exchange.ts";
import { completionFolder, configFolder, stateFolder } from "./config/location.ts";
import { readFile } from "./config/read-file.ts";
import { removeOlder } from "./config/remove-older.ts";
import { createSecrets } from "./config/secrets.ts";
import { createConfigStore } from "./config/store.ts";
import { createTextFile } from "./config/text-file.ts";
import { clock, compileParserOnce, isTerminal, keepYoungGenerationSmall, random, standardInput } from "./system.ts";
import { createInput } from "./terminal/input.ts";
import { createOutput } from "./terminal/output.ts";
import { wantsPlainLines } from "./terminal/plain.ts";

const { env, platform } = process;
/** Milliseconds after which what completion kept is removed. */
const FORGOTTEN = 3_600_000;
const MAX_STATE_BYTES = 256 * 2 ** 20;

/** The real world. Streams and libraries are opened when they are first used. */
function createApp(interrupt: AbortSignal, abandon: AbortSignal): App {
  const secrets = createSecrets();
  if (env.RELAYCTL_TOKEN) secrets.add(env.RELAYCTL_TOKEN);
  const stderr = once(() => createOutput("stderr", { isTerminal: isTerminal(2), open: () => process.stderr }, secrets));
  const stdout = once(() => createOutput("stdout", { isTerminal: isTerminal(1), open: () => process.stdout }, secrets));
  const stdin = once(() => createInput(standardInput()));
  const surroundings = { clock, random, interrupt };
  const note = (text: string) => stderr().write(`note: ${text}\n`);
  return {
    env,
    clock,
    random,
    secrets,
    interrupt,
    abandon,
    get stdin() {
      return stdin();
    },
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    files: { read: readFile },
    config: createConfigStore({
      folder: () => configFolder(env, platform),
      surroundings,
      user: process.geteuid?.(),
      note,
    }),
    prompts: async () => {
      // A terminal that closes fails both streams, at any time.
      for (const stream of [process.stdin, process.stderr]) stream.on("error", () => {});
      const streams = { input: process.stdin, output: process.stderr, interrupt };
      if (wantsPlainLines(env)) return (await import("./terminal/prompts/plain.ts")).createPlainPrompts(streams);
      return (await import("./terminal/prompts/inquirer.ts")).createPrompts(streams);
    },
    editorFile: async (name) => {
      const { createEditorFile } = await import("./config/editor/editor-file.ts");
      return await createEditorFile(name, { env, platform, interrupt, lendTerminal });
    },
    network: (options) => openNetwork(options, note),
    demo: () => openDemo(surroundings),
    resetDemo: () => resetDemo(surroundings),
    keepForCompletion: (name, make) => keepForCompletion(name, make, surroundings),
    manyPass: once(keepYoungGenerationSmall),
    serve: (options) => serve(options, surroundings),
    execute: async (argv, limits) => (await import("./config/run-program.ts")).runProgram(argv, env, limits),
  };
}

/** Whether another program has the terminal: Ctrl-C is then meant for that program alone. */
let isTerminalLent = false;

async function lendTerminal<T>(use: () => Promise<T>): Promise<T> {
  isTerminalLent = true;
  try {
    return await use();
  } finally {
    isTerminalLent = false;
  }
}

function once<T>(open: () => T): () => T {
  let opened: T | undefined;
  return () => (opened ??= open());
}

async function openNetwork(
  options: Parameters<App["network"]>[0],
  note: (text: string) => Promise<void>,
): Promise<Exchange> {
  // Node would warn that it verifies nothing, which is not so: the transport asks for it every time.
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    delete env.NODE_TLS_REJECT_UNAUTHORIZED;
    await note("NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect: certificates are always verified");
  }
  return (await import("./client/transport.ts")).createNetwork({ ...options, beforePool: compileParserOnce });
}

const DEMO_TOKEN = "demo-token-of-the-server-inside-this-process";

async function openDemo(surroundings: Surroundings): Promise<{ exchange: Exchange; token: string }> {
  const { createDemoServer } = await import("./demo/server.ts");
  const store = await keptState(demoPath(), "demo", surroundings);
  return { exchange: createDemoServer({ token: DEMO_TOKEN, store, clock, random }), token: DEMO_TOKEN };
}

type Surroundings = Parameters<typeof createTextFile>[1]["surroundings"];

function demoPath(): string {
  return join(stateFolder(env, platform), "demo.json");
}

/** Writes the seed over whatever is there, so that a state that cannot be read can be reset too. */
async function resetDemo(surroundings: Surroundings): Promise<void> {
  const [{ stateToText }, { seedState }] = await Promise.all([
    import("./demo/state/state-text.ts"),
    import("./demo/seed.ts"),
  ]);
  await stateFile(demoPath(), surroundings).change(() => stateToText(seedState("demo")));
}

async function keepForCompletion(
  name: string,
  make: Parameters<App["keepForCompletion"]>[1],
  surroundings: Surroundings,
): Promise<void> {
  const folder = completionFolder(env, platform);
  await removeOlder(folder, clock.now() - FORGOTTEN);
  await stateFile(join(folder, name), surroundings).renew(make);
}

function stateFile(path: string, surroundings: Surroundings) {
  return createTextFile(path, { surroundings, maxBytes: MAX_STATE_BYTES });
}

async function keptState(path: string, seed: string, surroundings: Surroundings) {
  const [{ textStore }, { seedState }] = await Promise.all([
    import("./demo/state/text-store.ts"),
    import("./demo/seed.ts"),
  ]);
  return textStore(stateFile(path, surroundings), () => seedState(seed), path);
}

async function serve(options: ServeOptions, surroundings: Surroundings): Promise<void> {
  const { serveDemo } = await import("./demo/serve.ts");
  const store =
    options.stateFile === undefined ? undefined : await keptState(options.stateFile, options.seed, surroundings);
  const deliver: Parameters<typeof serveDemo>[1]["deliver"] = async (...post) =>
    (await import("./client/webhook.ts")).postWebhook(...post);
  await serveDemo(options, { clock, random, interrupt: surroundings.interrupt, deliver, ...(store && { store }) });
}

const SIGNALS = { SIGINT: "interrupted", SIGTERM: "terminated", SIGHUP: "hung_up" } as const;

/** Runs the command line of this process. Until it is known how it ended, the exit code says that it failed. */
async function main(): Promise<void> {
  process.exitCode = 1;
  const interrupt = new AbortController();
  const abandon = new AbortController();
  for (const [signal, reason] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (signal === "SIGINT" && isTerminalLent) return;
      // A terminal that closes sends it twice: from its shell, and from the kernel once that shell has ended.
      if (signal === "SIGHUP" && interrupt.signal.aborted) return;
      (interrupt.signal.aborted ? abandon : interrupt).abort(reason);
      process.stdin.destroy();
    });
  }
  // Without a listener this signal opens the inspector of a process that holds a token.
  process.on("SIGUSR1", () => {});
  process.exitCode = await run(createApp(interrupt.signal, abandon.signal), process.argv.slice(2));
}

void main();
