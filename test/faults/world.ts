import type { App } from "../../src/app.ts";
import { run } from "../../src/cli/run.ts";
import { createNetwork } from "../../src/client/transport.ts";
import { createSecrets } from "../../src/config/token/secrets.ts";
import type { Entry } from "../../src/journal/journal.ts";
import { createOutput } from "../../src/terminal/streams/output.ts";
import { checked } from "../helpers/checked.ts";
import { validateByHelp } from "../helpers/documented.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { CANARY_KEY, CANARY_TOKEN } from "../helpers/scan.ts";
import { testApp, type World } from "../helpers/test-app.ts";
import { passingClock } from "./passing-clock.ts";

/** Searched for in everything that is captured. */
export const TOKEN = CANARY_TOKEN;
export const SIGNING_KEY = CANARY_KEY;

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line: in this process or as the built program. */
export type Runner = (argv: readonly string[], world: RunnerWorld) => Promise<Ended>;

export interface RunnerWorld {
  origin: string;
  files?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  /** What the journal contains already. Only in this process. */
  entries?: readonly Entry[] | undefined;
  /** What else is there. Only in this process. */
  base?: World;
  /** Resolves when the time for an attempt is up (default: by the clock). */
  timeUp?: (signal?: AbortSignal) => Promise<void>;
  /** Whether the time that the command itself waits between requests passes at once. Only in this process. */
  isPassing?: boolean;
}

/** In this process, over real sockets, with the real clock and outputs; nothing is left to chance but the time. */
export const runHere: Runner = async (argv, world) => {
  const { origin, files = {}, env = {}, entries, base: more = {}, timeUp, isPassing = false } = world;
  const secrets = createSecrets();
  const stdout = memoryStream();
  const stderr = memoryStream();
  const { app: base } = testApp({
    seed: "empty",
    ...more,
    files: { ...files, ...more.files },
    env: { RELAYCTL_SERVER: origin, RELAYCTL_TOKEN: TOKEN, ...(entries && { RELAYCTL_JOURNAL: "journal" }), ...env },
    ...(entries && { journal: memoryJournal({ entries }) }),
  });
  const app: App = {
    ...base,
    clock: passingClock({ own: isPassing ? base.interrupt : undefined, timeUp }),
    random: { ...base.random, uuid: () => "3c2a8f1e-0000-4000-8000-000000000001", fraction: () => 0 },
    secrets,
    stdout: createOutput("stdout", { isTerminal: false, open: () => stdout }, secrets),
    stderr: createOutput("stderr", { isTerminal: false, open: () => stderr }, secrets),
    network: async (options) => createNetwork(options),
  };
  const exitCode = await run(app, argv);
  validateByHelp(argv, exitCode, []);
  return checked(argv, { exitCode, stdout: stdout.text(), stderr: stderr.text() });
};

function memoryStream() {
  const chunks: Buffer[] = [];
  return {
    write(chunk: string | Uint8Array, done: () => void) {
      chunks.push(Buffer.from(chunk));
      done();
    },
    on: () => undefined,
    text: () => Buffer.concat(chunks).toString(),
  };
}
