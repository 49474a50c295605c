import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../../src/app.ts";
import { run } from "../../../src/cli/run.ts";
import { createFiles } from "../../../src/config/files/files.ts";
import { createTextFile } from "../../../src/config/files/text-file.ts";
import { createConfigStore } from "../../../src/config/store.ts";
import { createLineFile, createRunFile } from "../../../src/config/undo-file/line-file.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { seedState } from "../../../src/embedded-server/seed.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { textStore } from "../../../src/embedded-server/state/text-store.ts";
import type { Entry } from "../../../src/journal/entry.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { createOpenJournal } from "../../../src/journal/open-once.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { SERVER, TOKEN, testApp } from "../../helpers/test-app.ts";
import { ageLocks, type Fault, onFaultyDisk, type Watched } from "./faulty-disk.ts";

/** A write that the service accepted. */
export interface Accepted {
  request: WireRequest;
  /** The ID of what it created or changed. */
  id: string;
}

/** How one run of the program ended. */
export interface Ended extends Watched {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** What was typed. */
  line: string;
  /** What the service accepted during the run. */
  accepted: readonly Accepted[];
  /** What the journal acknowledged during the run. */
  acknowledged: readonly Entry[];
}

/** A folder with the files of one user, and a service. */
export interface Life {
  folder: string;
  /** Every write that the service accepted. */
  accepted: readonly Accepted[];
  run(line: string, fault?: Fault): Promise<Ended>;
  read(name: string): string | undefined;
  /** Opens the journal as another program does. */
  journal(name?: string): Journal;
  end(): void;
}

const NEVER: Fault = { at: Number.POSITIVE_INFINITY, isLasting: false, code: "EIO" };

/** Begins a life with these files. `FOLDER` in a line stands for the folder. */
export function beginLife(files: Readonly<Record<string, string>>, answer?: typeof passOn): Life {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-disk-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), text.replaceAll("FOLDER", folder), { mode: 0o600 });
  }
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const random = { uuid: randomUUID, fraction: () => 0.5, key: () => "k".repeat(32) };
  const server = createEmbeddedServer({ token: TOKEN, store: memoryStore(seedState("demo")), clock, random });
  const accepted: Accepted[] = [];
  const service = async (request: WireRequest): Promise<WireReply> => {
    const reply = await (answer ?? passOn)(request, () => server(request));
    if (request.method !== "GET" && !request.target.endsWith("/rpc") && reply.status < 300)
      accepted.push({ request, id: idIn(reply) });
    return reply;
  };
  const surroundings = { clock, random, interrupt };
  let processes = 0;

  function appWith(acknowledged: Entry[]) {
    const made = testApp({ env: { RELAYCTL_CONFIG_DIR: folder, GITHUB_STEP_SUMMARY: "" }, service, clock, interrupt });
    const user = process.getuid?.();
    const note = (text: string) => made.stderr.write(`note: ${text}\n`);
    const own = ++processes;
    const running = { own, host: () => "console", isRunning: (pid: number) => pid === own };
    const open = createOpenJournal(
      { surroundings, note, processes: running },
      { env: { RELAYCTL_CONFIG_DIR: folder }, platform: process.platform },
      user,
    );
    const kept = (name: string, maxBytes = 2 ** 28) => createTextFile(join(folder, name), { surroundings, maxBytes });
    const app: App = {
      ...made.app,
      random,
      files: createFiles({ interrupt, openWaiting: unused }),
      config: createConfigStore({ folder: () => folder, surroundings, user, note }),
      lineFile: (place) =>
        typeof place === "string"
          ? createLineFile(place)
          : createRunFile(join(folder, "retry"), place.run, clock.now()),
      textFile: (path, maxBytes) => createTextFile(path, { surroundings, maxBytes, inUsersFolder: true }),
      journal: async (place) => noting(await open(place), acknowledged),
      demo: async () => {
        const store = textStore(kept("demo.json"), () => seedState("demo"), join(folder, "demo.json"));
        return { transport: createEmbeddedServer({ token: TOKEN, store, clock, random }), token: TOKEN };
      },
      keepForCompletion: (name, make) => kept(join("completion", name)).renew(make),
      kept: (name) => kept(join("kept", name)),
    };
    return { ...made, app };
  }

  return {
    folder,
    accepted,
    async run(line, fault = NEVER) {
      ageLocks(folder);
      const acknowledged: Entry[] = [];
      const before = accepted.length;
      const { app, stdout, stderr } = appWith(acknowledged);
      const argv = line.replaceAll("FOLDER", folder).split(" ");
      const [exitCode, watched] = await onFaultyDisk(folder, fault, () => run(app, argv));
      return {
        ...watched,
        line,
        exitCode,
        stdout: stdout.text(),
        stderr: stderr.text(),
        accepted: accepted.slice(before),
        acknowledged,
      };
    },
    read(name) {
      try {
        return readFileSync(join(folder, name), "utf8");
      } catch {
        return undefined;
      }
    },
    journal: (name = "journal") =>
      openJournal({ path: join(folder, name), surroundings, user: process.getuid?.(), note: async () => {} }),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function unused(): never {
  throw new Error("no pipe is read");
}

async function passOn(_request: WireRequest, reply: () => Promise<WireReply>): Promise<WireReply> {
  return await reply();
}

function idIn({ body }: WireReply): string {
  try {
    return String(JSON.parse(new TextDecoder().decode(body)).data?.id ?? "");
  } catch {
    return "";
  }
}

/** Returns the journal, which notes what it acknowledges. */
function noting(journal: Journal, acknowledged: Entry[]): Journal {
  return {
    ...journal,
    async append(entry, options) {
      await journal.append(entry, options);
      acknowledged.push(entry);
    },
  };
}

/** The config of every life: a context for the service. */
export function configOf(rules: object = {}): string {
  return JSON.stringify({
    version: 1,
    current: "prod",
    contexts: { prod: { server: SERVER, token: TOKEN, ...rules } },
  });
}
