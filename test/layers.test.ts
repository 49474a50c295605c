import { stateIn } from "./layers/module-state.ts";
import { readSources, type Source } from "./layers/source.ts";

/** The shape of the program (docs/project/architecture.md), file by file. Every rule returns what breaks it. */
const sources = readSources();

/** The rooms that each room may import, besides itself. */
const BELOW_SESSION = ["app", "chain", "client", "config", "journal", "shell", "terminal", "contract"];
const ABILITIES = [
  "audit",
  "coins",
  "doctor",
  "find",
  "fleet",
  "limits",
  "payments",
  "proposals",
  "recovery",
  "relayer-state",
  "webhooks",
];
const ROOMS: Record<string, readonly string[]> = {
  contract: [],
  client: ["contract"],
  chain: ["client", "contract"],
  webhooks: ["client", "contract"],
  config: ["contract"],
  terminal: ["contract"],
  "embedded-server": ["contract"],
  compiled: [],
  completion: ["config", "contract"],
  journal: ["config", "contract"],
  app: ["client", "config", "journal", "terminal", "webhooks", "contract"],
  shell: ["app", "config", "terminal", "contract"],
  session: BELOW_SESSION,
  audit: ["session", "chain", "client", "journal", "contract"],
  coins: ["app", "client", "completion", "session", "contract"],
  recovery: ["session", "shell", "chain", "client", "journal", "contract"],
  "relayer-state": ["app", "session", "shell", "chain", "client", "terminal", "contract"],
  doctor: ["relayer-state", "recovery", "session", "shell", "chain", "client", "config", "journal", "contract"],
  limits: ["coins", "session", "chain", "config", "journal", "contract"],
  fleet: ["app", "config", "session", "client", "journal", "contract"],
  proposals: ["app", "session", "shell", "client", "config", "contract"],
  payments: ["coins", "limits", "relayer-state", "recovery", "session", ...BELOW_SESSION],
  "library-calls": ["app", "chain", "doctor", "fleet", "client", "config", "contract"],
  find: ["audit", "relayer-state", "recovery", "session", ...BELOW_SESSION],
  views: [...ABILITIES, "session", ...BELOW_SESSION],
  "command-support": [...ABILITIES, "session", ...BELOW_SESSION],
  commands: ["command-support", "completion", "views", ...ABILITIES, "session", ...BELOW_SESSION],
  cli: ["commands", "command-support", "completion", "views", ...ABILITIES, "session", ...BELOW_SESSION],
};

/** Where a program begins: they put the rooms together, and no room may import them. */
const ROOTS = [
  "entry",
  "executable",
  "installation",
  "is-terminal",
  "main",
  "embedded",
  "complete",
  "index",
  "library",
  "engine",
  "network",
  "system",
  "job-control",
];
/** What every room may import. */
const EVERYWHERE = ["errors", "message", "nearest", "shell-quotes", "timing", "version"];

/** The one place that imports each library, and each module of Node that reaches outside. A folder ends in a slash. */
const DOORS: Record<string, readonly string[]> = {
  "@inquirer/prompts": ["terminal/prompts/inquirer.ts"],
  "@jmespath-community/jmespath": ["terminal/select/query.ts"],
  "@noble/hashes": ["contract/encoding/primitives.ts"],
  "@scure/base": ["contract/encoding/primitives.ts"],
  chalk: ["terminal/style.ts"],
  "cli-table3": ["terminal/render/table.ts"],
  commander: ["cli/parsing/read-with-commander.ts"],
  conf: ["config/store.ts"],
  ox: ["contract/abi/ox.ts", "embedded-server/real-chain/key.ts"],
  "proper-lockfile": ["config/files/lock.ts"],
  "string-width": ["terminal/text/grapheme-width.ts"],
  undici: ["client/transport/"],
  yaml: ["contract/encoding/yaml.ts", "fleet/source/"],
  // Only requests are written in zod; the others validate with a given schema, and import its type.
  zod: ["contract/requests/zod.ts", "contract/requests/body-problems.ts", "fleet/config/file-item.ts"],
  "node:http": ["client/transport/", "embedded-server/http-server.ts"],
  "node:https": ["client/transport/", "embedded-server/http-server.ts"],
  "node:net": ["client/transport/"],
  "node:tls": ["client/transport/"],
  "node:dns": ["client/transport/lookup-programs.ts"],
  "node:fs": ["config/", "journal/", "compiled/", "entry.ts", "installation.ts", "complete.ts"],
  "node:child_process": [
    "client/transport/lookup-programs.ts",
    "config/token/run-program.ts",
    "config/run-detached.ts",
    "config/browser/open-page.ts",
    "config/editor/editor-file.ts",
    "config/pager/start-pager.ts",
  ],
  "node:os": ["config/editor/editor-file.ts", "config/files/private-files.ts"],
  "node:crypto": [
    "config/machine/machine.ts",
    "config/token/stores/program.ts",
    "fleet/fingerprint.ts",
    "fleet/config/keystore.ts",
    "journal/",
    "completion/token-mark.ts",
    "payments/file/",
    "webhooks/intake.ts",
  ],
  "node:readline": ["terminal/prompts/plain.ts"],
  "node:vm": ["compiled/file-loader.ts"],
};

/** The room that opens files for writing, and takes what is masked. */
const WRITING = "config/files/";
/** Who else writes to descriptors, and why. */
const OTHER_WRITERS: Readonly<Record<string, string>> = {
  "compiled/": "code that V8 compiled, in a folder that only the user can write to",
  "entry.ts": "stdout and stderr, with a text that is redacted",
  "complete.ts": "stdout, with the words of a completion",
};
/** Who writes what nobody masks, and why. */
const UNMASKED: Readonly<Record<string, string>> = {
  "contract/secret-fields.ts": "declares it",
  "config/token/secrets.ts": "masks",
  "session/journaling/redacting-journal.ts": "masks entries",
  "config/files/extended-file.ts": "the end of a line",
  "config/store.ts": "config.json keeps the tokens of `auth login`",
  "config/editor/editor-file.ts": "the user reads it in an editor, and it is removed; what it shows is masked before",
  "embedded.ts": "the state of the embedded server, which is its database",
  "commands/serve/real-chain.ts": "the file of --key-file is the key",
  "commands/generated-key.ts": "the file of --key-out is the key",
  "commands/fleet/export/run-update.ts": "the user's own file keeps what the user wrote into it",
  "journal/batch-writer.ts": "the bytes of masked entries, and digests of keys",
  "journal/replace-file.ts": "digests, a salt, and the numbers of processes",
};

/** Modules of Node that only compute. */
const PURE = ["node:buffer", "node:events", "node:path", "node:stream"];

const OUTSIDE = [
  "process",
  "console",
  "performance",
  "globalThis",
  "fetch",
  "Date.now",
  "Math.random",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "require",
];

const LONGEST_FUNCTION = 60;

function roomOf(path: string): string {
  return path.split("/")[0]?.replace(/\.ts$/, "") ?? "";
}

/** What breaks a rule, as one line a file. */
function breaking(offences: (source: Source) => readonly string[]): string[] {
  return sources.flatMap((source) => offences(source).map((offence) => `src/${source.path}: ${offence}`));
}

function isAt(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}

test("every file is in a room or is a root", () => {
  const known = [...Object.keys(ROOMS), ...ROOTS, ...EVERYWHERE];
  expect(sources.length).toBeGreaterThan(100);
  expect(breaking(({ path }) => (known.includes(roomOf(path)) ? [] : ["is in no room"]))).toEqual([]);
});

test("imports have one direction: main, cli, commands, flow, app, then client, config, and terminal, then contract", () => {
  const forbidden = ({ path, imports }: Source) => {
    const room = roomOf(path);
    if (ROOTS.includes(room)) return [];
    const allowed = EVERYWHERE.includes(room) ? EVERYWHERE : [room, ...EVERYWHERE, ...(ROOMS[room] ?? [])];
    return imports
      .filter((target) => !allowed.includes(roomOf(target)))
      .map((target) => `${room} must not import ${target}`);
  };
  expect(breaking(forbidden)).toEqual([]);
});

test("the library is made of abilities, and imports no command", () => {
  const commands = ({ path, imports }: Source) =>
    ["index.ts", "library.ts"].includes(path)
      ? imports.filter((target) => ["commands", "command-support", "cli"].includes(roomOf(target)))
      : [];
  expect(breaking((source) => commands(source).map((target) => `imports ${target}`))).toEqual([]);
});

test("no two nouns of the command line import each other", () => {
  const nounOf = (path: string) => /^commands\/([^/]+)\//.exec(path)?.[1];
  const pairs = new Set(
    sources.flatMap(({ path, imports }) =>
      imports.flatMap((target) => {
        const [from, to] = [nounOf(path), nounOf(target)];
        return from && to && from !== to ? `${from} → ${to}` : [];
      }),
    ),
  );
  expect(pairs.size).toBeGreaterThan(10);
  expect([...pairs].filter((pair) => pairs.has(pair.split(" → ").reverse().join(" → ")))).toEqual([]);
});

test("every library is imported only by its own files", () => {
  const elsewhere = ({ path, libraries }: Source) =>
    libraries
      .filter((name) => !PURE.includes(name) && !isAt(path, DOORS[name] ?? []))
      .map((name) =>
        DOORS[name] ? `imports ${name}, whose door is ${DOORS[name].join(", ")}` : `imports ${name}, which has no door`,
      );
  expect(breaking(elsewhere)).toEqual([]);
});

/** What puts bytes into a file, of all that `node:fs` has. */
const WRITES = /^(?:open|openSync|write\w*|append\w*|createWriteStream|copyFile\w*|cp|cpSync|link\w*|symlink\w*)$/;

function fileCallsOf({ text }: Source): string[] {
  const lists = text.matchAll(/\{([^{}]*)\} (?:from|= await import\() ?"node:fs(?:\/promises)?"/g);
  const names = [...lists].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim().split(/ as |: /)[0] ?? ""),
  );
  const members = [...text.matchAll(/\bpromises\.(\w+)/g)].map(([, name = ""]) => name);
  return [...names, ...members, ...(/import (?:\* as )?\w+ from "node:fs/.test(text) ? ["open"] : [])];
}

test("files are opened for writing in one room, which takes what is masked", () => {
  const calls = (source: Source) => fileCallsOf(source).filter((name) => WRITES.test(name));
  const elsewhere = (source: Source) =>
    isAt(source.path, [WRITING, ...Object.keys(OTHER_WRITERS)]) ? [] : calls(source).map((name) => `calls ${name}`);
  const writing = sources.filter((source) => calls(source).length > 0).map(({ path }) => path);
  expect(writing.filter((path) => path.startsWith(WRITING)).length).toBeGreaterThan(3);
  for (const other of Object.keys(OTHER_WRITERS)) expect(writing.some((path) => isAt(path, [other]))).toBe(true);
  expect(breaking(elsewhere)).toEqual([]);
});

test("only what is listed is written without a search for secrets", () => {
  const users = sources.filter(({ globals }) => globals.has("markMasked")).map(({ path }) => path);
  expect(users.sort()).toEqual(Object.keys(UNMASKED).sort());
  expect(
    breaking(({ path, text }) =>
      path !== "contract/secret-fields.ts" && /\bas Masked</.test(text) ? ["casts to Masked"] : [],
    ),
  ).toEqual([]);
});

test("every listed library is imported", () => {
  const used = new Set(sources.flatMap(({ libraries }) => libraries));
  expect(Object.keys(DOORS).filter((name) => !used.has(name))).toEqual([]);
});

test("only main, complete, and system use the process, the clock, and random values", () => {
  const seen = ({ globals }: Source) =>
    OUTSIDE.filter((name) => globals.has(name)).map((name) => `uses ${name}; take it from the App`);
  const inside = (source: Source) =>
    ROOTS.some((root) => !["index", "library"].includes(root) && source.path === `${root}.ts`) ? [] : seen(source);
  expect(breaking(seen)).not.toEqual([]);
  expect(breaking(inside)).toEqual([]);
});

test("only contract/json parses and writes JSON, because JSON rounds numbers", () => {
  const uses = ({ path, globals }: Source) =>
    path.startsWith("contract/json/") || path === "completion/shipped-words.ts" || !globals.has("JSON")
      ? []
      : ["uses JSON; import contract/json.ts"];
  expect(breaking(uses)).toEqual([]);
});

test("one file reads receipts, and compares their blocks with the chain's", () => {
  const filesWith = (text: RegExp) =>
    sources.flatMap((source) =>
      !source.path.startsWith("embedded-server/") && text.test(source.text) ? source.path : [],
    );
  expect(filesWith(/"eth_get(TransactionReceipt|BlockReceipts|Logs)"/)).toEqual(["chain/evm/read-evm.ts"]);
  expect(filesWith(/\breadEvmReceipt\(/)).toEqual(["chain/evm/read-evm.ts", "chain/examine.ts"]);
});

test("relative imports end in .ts and lead to an existing file", () => {
  const paths = new Set(sources.map(({ path }) => path));
  const wrong = ({ written, imports }: Source) =>
    written.filter((name, index) => !name.endsWith(".ts") || !paths.has(imports[index] ?? ""));
  expect(breaking((source) => wrong(source).map((name) => `imports ${name}`))).toEqual([]);
});

test("no imports are circular", () => expect(cycles()).toEqual([]));

test(`no function is longer than ${LONGEST_FUNCTION} lines`, () => {
  const long = sources.flatMap(({ path, functions }) =>
    functions.filter(({ lines }) => lines > LONGEST_FUNCTION).map(({ name }) => `${path}: ${name}`),
  );
  expect(sources.flatMap(({ functions }) => functions).length).toBeGreaterThan(sources.length);
  expect(long).toEqual([]);
});

test("a function's name says what it does: at most 4 of 100 end in Of", () => {
  const names = sources.flatMap(({ functions }) =>
    functions.map(({ name }) => name).filter((name) => /^\w+$/.test(name)),
  );
  const ending = names.filter((name) => name.endsWith("Of"));
  expect(names.length).toBeGreaterThan(1_000);
  expect(ending.length / names.length).toBeLessThanOrEqual(0.04);
});

/** Returns every chain of imports that comes back to where it began, once. */
function cycles(): string[] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, chain: readonly string[]): void => {
    if (chain.includes(path)) found.push([...chain.slice(chain.indexOf(path)), path].join(" → "));
    if (chain.includes(path) || done.has(path)) return;
    for (const target of importsOf.get(path) ?? []) visit(target, [...chain, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}

/** What the entry knows of its process: V8's flags, and the files that are loaded, which Node has in `require.cache`. */
const OF_THE_PROCESS = ["src/entry.ts: engineFlags remembers", "src/entry.ts: loadFile remembers"];

test("no file keeps module-level state between two calls, but for the entry", () =>
  expect(stateIn(sources)).toEqual(OF_THE_PROCESS));
