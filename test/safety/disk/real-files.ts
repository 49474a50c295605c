import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../../src/app.ts";
import { runArgv } from "../../../src/cli/run.ts";
import { createEditorFile } from "../../../src/config/editor/editor-file.ts";
import { createFiles } from "../../../src/config/files/files.ts";
import { createLineFile, createRunLineFile } from "../../../src/config/files/line-file.ts";
import { withPrivateFiles } from "../../../src/config/files/private-files.ts";
import { createTextFile } from "../../../src/config/files/text-file.ts";
import { createConfigStore } from "../../../src/config/store.ts";
import { markMasked } from "../../../src/contract/secret-fields.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { type KeptText, stateTextStore, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import type { Entry, Journal } from "../../../src/journal/journal.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { createOpenJournal } from "../../../src/journal/open-once.ts";
import { redactingJournal } from "../../../src/session/journaling/redacting-journal.ts";
import { inProd, TOKEN, testApp, type World, words } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { ageLocks, callingFile, type Fault, onFaultyDisk, type Watched } from "./faulty-disk.ts";

export interface Accepted {
  request: WireRequest;
  /** The ID of what it created or changed. */
  id: string;
}

export interface Ended extends Watched {
  exitCode: number;
  stdout: string;
  stderr: string;
  line: string;
  /** What the service accepted during the run. */
  accepted: readonly Accepted[];
  /** What the journal acknowledged during the run. */
  acknowledged: readonly Entry[];
  /** The files of src that asked `App` for a file to write, each with the member: `commands/label/delete.ts config.change`. */
  doors: ReadonlySet<string>;
}

/** A folder with the files of one user, and a service. */
export interface Life {
  folder: string;
  /** Every write that the service accepted. */
  accepted: readonly Accepted[];
  /** @param notesPlaces whether it is noted where the sources change files (default: without a fault) */
  run(line: string, fault?: Fault, notesPlaces?: boolean): Promise<Ended>;
  read(name: string): string | undefined;
  /** Opens the journal as another program does. */
  journal(name?: string): Journal;
  end(): void;
}

export interface Beginning {
  /** `FOLDER` stands for the folder, here and in lines. */
  files?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  /** What a run meets besides its files. */
  world?: () => Partial<World>;
  /** Responds instead of the service, which it may ask. */
  respond?: () => (request: WireRequest, reply: () => Promise<WireReply>) => Promise<WireReply>;
  seed?: string;
}

const NEVER: Fault = { at: Number.POSITIVE_INFINITY, isLasting: false, code: "EIO" };
/** In memory, where there is such a folder: most of the time would be spent on a disk. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export function beginLife({ files = {}, env = {}, world, respond, seed = "demo" }: Beginning): Life {
  const folder = mkdtempSync(join(PLACE, "relayctl-disk-"));
  const inFolder = (text: string) => text.replaceAll("FOLDER", folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), inFolder(text), { mode: 0o600 });
  }
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inFolder(value)]));
  const variables = { RELAYCTL_CONFIG_DIR: folder, ...own };
  const home = variables.RELAYCTL_CONFIG_DIR;
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  let made = 0;
  const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
  const random = { uuid, fraction: () => 0.5, key: () => "5e".repeat(32) };
  const server = createEmbeddedServer({ token: TOKEN, store: memoryStore(seedState(seed)), clock, random });
  const accepted: Accepted[] = [];
  const responding = respond?.();
  const service = async (request: WireRequest): Promise<WireReply> => {
    const reply = responding ? await responding(request, () => server(request)) : await server(request);
    const isWrite =
      request.method !== "GET" && !/\/(?:rpc|sign|sign-typed-data|sign-transaction|quote|build)$/.test(request.target);
    if (isWrite && reply.status < 300) accepted.push({ request, id: idIn(reply) });
    return reply;
  };
  const surroundings = { clock, random, interrupt };
  const user = process.getuid?.();
  let processes = 0;

  function appWith(acknowledged: Entry[], doors: Set<string>) {
    const inMemory = testApp({ service, clock, interrupt, ...world?.(), env: variables });
    const note = (text: string) => inMemory.stderr.write(`note: ${text}\n`);
    const process_ = ++processes;
    const running = { own: process_, host: () => "console", isRunning: (pid: number) => pid === process_ };
    const open = createOpenJournal(
      { surroundings, note, processes: running },
      { env: variables, platform: "linux" },
      user,
    );
    const kept = (path: string) => createTextFile(path, { surroundings, maxBytes: 2 ** 28 });
    const database = (path: string): KeptText => {
      const { load, change } = kept(path);
      return { load, change: (edit) => change((text) => markMasked(edit(text))) };
    };
    const demoStore = () =>
      stateTextStore(database(join(home, "demo.json")), () => seedState("demo"), join(home, "demo.json"));
    const files = createFiles({ interrupt, openWaiting: () => undefined });
    const config = createConfigStore({ folder: () => home, surroundings, user, note });
    /** Notes who asks for a file to write. */
    const through =
      <A extends unknown[], R>(door: string, use: (...given: A) => R) =>
      (...given: A): R => {
        doors.add(`${callingFile()} ${door}`);
        return use(...given);
      };
    const app: App = {
      ...inMemory.app,
      random,
      files: {
        ...files,
        create: through("files.create", files.create),
        append: through("files.append", files.append),
        extend: through("files.extend", files.extend),
        replace: through("files.replace", files.replace),
      },
      config: { path: config.path, read: config.read, change: through("config.change", config.change) },
      lineFile: through("lineFile", (place: string | { run: string }) =>
        typeof place === "string"
          ? createLineFile(place)
          : createRunLineFile(join(home, "retry"), place.run, clock.now()),
      ),
      textFile: through("textFile", (path: string, maxBytes: number) =>
        createTextFile(path, { surroundings, maxBytes, inUsersFolder: true }),
      ),
      proposalFile: through("proposalFile", (name: string) => kept(join(home, "proposals", name))),
      privateFiles: withPrivateFiles,
      proposalNames: () => files.list(join(home, "proposals")),
      editorFile: through("editorFile", (name: string) =>
        createEditorFile(name, {
          env: { ...variables, EDITOR: "sed -i 's/Stellar treasury/Vault/'" },
          ...{ platform: "linux", interrupt, clock, lendTerminal: (use) => use() },
        }),
      ),
      journal: async (place) => noting(redactingJournal(await open(place), inMemory.app.secrets.redact), acknowledged),
      demo: async () => ({
        transport: createEmbeddedServer({ token: TOKEN, store: demoStore(), clock, random }),
        token: TOKEN,
      }),
      resetDemo: through("resetDemo", () =>
        database(join(home, "demo.json")).change(() => stateToText(seedState("demo"))),
      ),
      keepForCompletion: through("keepForCompletion", (name: string, make: Parameters<App["keepForCompletion"]>[1]) =>
        kept(join(home, "completion", name)).renew(make),
      ),
      kept: through("kept", (name: string) => kept(join(home, "kept", name))),
      serve: async ({ stateFile, seed: begun, listening, port }) => {
        if (stateFile !== undefined) {
          const store = stateTextStore(database(stateFile), () => seedState(begun), stateFile);
          const reply = await createEmbeddedServer({ token: TOKEN, store, clock, random })({
            ...{ method: "PATCH", target: "/api/v1/relayers/base-hot", body: '{"name":"kept"}' },
            headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          });
          if (reply.status !== 200) throw new Error(new TextDecoder().decode(reply.body));
        }
        await listening(port);
      },
    };
    return { ...inMemory, app };
  }

  return {
    folder,
    accepted,
    async run(line, fault = NEVER, notesPlaces = fault === NEVER) {
      ageLocks(folder);
      const acknowledged: Entry[] = [];
      const doors = new Set<string>();
      const before = accepted.length;
      const { app, stdout, stderr } = appWith(acknowledged, doors);
      const argv = words(inFolder(line));
      const [exitCode, watched] = await onFaultyDisk(folder, fault, () => runArgv(app, argv), notesPlaces);
      return {
        ...watched,
        line,
        exitCode,
        stdout: stdout.text(),
        stderr: stderr.text().replaceAll(/\u001b\[\d+m/g, ""),
        accepted: accepted.slice(before),
        acknowledged,
        doors,
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
      redactingJournal(
        openJournal({ path: join(folder, name), surroundings, user, note: async () => {} }),
        markMasked<string>,
      ),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function idIn({ body }: WireReply): string {
  try {
    return String(JSON.parse(new TextDecoder().decode(body)).data?.id ?? "");
  } catch {
    return "";
  }
}

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
  return JSON.stringify(inProd(rules).config);
}
