import { setImmediate } from "node:timers/promises";
import type { App } from "../../src/app.ts";
import { runArgv } from "../../src/cli/run.ts";
import type { Clock } from "../../src/client/clock.ts";
import { openTransport } from "../../src/client/transport.ts";
import { createSecrets } from "../../src/config/token/secrets.ts";
import type { Entry } from "../../src/journal/journal.ts";
import { clock } from "../../src/system.ts";
import { createOutput } from "../../src/terminal/streams/output.ts";
import { checked } from "../helpers/checked.ts";
import { validateByHelp } from "../helpers/documented.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { CANARY_KEY, CANARY_TOKEN } from "../helpers/scan.ts";
import { testApp, type World } from "../helpers/test-app.ts";

/** What decides when a wait is over, besides the clock. */
interface Passing {
  /** The signal of the command's own waits between requests, which pass at once (default: by the clock). */
  own?: AbortSignal | undefined;
  /** Resolves when the time for an attempt is up (default: by the clock). */
  timeUp?: ((signal?: AbortSignal) => Promise<void>) | undefined;
}

/** No shorter wait is the time for an attempt, unless the deadline of a command that waits is near. */
const SHORTEST_ATTEMPT = 1_000;
/** No other wait is as long and ends before the deadline. */
const isTimeout = (milliseconds: number) => milliseconds > 19_000 && milliseconds <= 20_000;

/** Returns the real clock, on which some waits take no time. */
function passingClock({ own, timeUp }: Passing): Clock {
  let ahead = 0;
  const isAttempt = (time: number) => (own ? time >= SHORTEST_ATTEMPT && time <= 20_000 : isTimeout(time));
  return {
    now: () => clock.now() + ahead,
    elapsed: () => clock.elapsed() + ahead,
    async sleep(time, signal) {
      if (own && signal === own) {
        ahead += time;
        return await setImmediate();
      }
      if (!timeUp || !isAttempt(time)) return await clock.sleep(time, signal);
      await timeUp(signal);
      if (own && !signal?.aborted) ahead += time;
    },
  };
}

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
    network: async (options) => openTransport(options),
  };
  const exitCode = await runArgv(app, argv);
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
