import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cli } from "../../helpers/cli.ts";
import { DEEP } from "../../helpers/deep.ts";
import { ROWS } from "./rows.ts";
import { tryRows } from "./try-row.ts";

const SRC = join(import.meta.dirname, "../../../src");

/** A call of Node that changes a file or a folder. A call that opens a file to write has a mode. */
const CALL =
  /\b(writeFile|appendFile|write(?=Sync)|rename|rmdir|rm|unlink|mkdir|mkdtemp|chmod|ftruncate|truncate|fdatasync|sync)(?:Sync)?\(|\b(open)(?:Sync)?\([^)]*0o\d{3}/g;
/** A member of `App` that gives a file to write. */
const DOOR =
  /\.(config\.change|lineFile|textFile|proposalFile|editorFile|resetDemo|keepForCompletion|kept|files\.(?:append|create|extend|replace))\(/g;

/** Places that no row reaches, and why none has to. */
const ELSEWHERE = new Map([
  ["compiled/", "compiled code that is lost is compiled again"],
  ["complete.ts writeFile", "its stdout"],
  ["entry.ts write", "its stdout"],
  ["journal/batch-writer.ts rm", "a damaged lookup file; test/journal/damage"],
  ["journal/batch-writer.ts ftruncate", "what a kill left; test/journal/find"],
  ["journal/open-once.ts rm", "the demo's journal; test/journal/verify"],
  ["config/files/remove-older.ts unlink", "old IDs for completion, which may stay"],
]);

const { places, doors } = tryRows(ROWS);

function* placesIn(pattern: RegExp, isMeant: (text: string) => boolean): Generator<string> {
  const paths = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  for (const path of paths.sort()) {
    const text = readFileSync(join(SRC, path), "utf8");
    if (!isMeant(text)) continue;
    const names = [...text.matchAll(pattern)].map(([, name, other]) => name ?? other);
    for (const name of new Set(names)) yield `${path} ${name}`;
  }
}

test.runIf(DEEP)("every place of the sources that changes a file is reached by a row", () => {
  const all = [...placesIn(CALL, (text) => /from "node:fs|FileHandle/.test(text))];
  const isElsewhere = (place: string) => [...ELSEWHERE.keys()].some((each) => place.startsWith(each));
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((place) => !places.has(place) && !isElsewhere(place))).toEqual([]);
});

test.runIf(DEEP)("every place of the commands that asks for a file to write is reached by a row", () => {
  // `serve --node` writes its key before it listens (test/embedded-server/real-chain), and a tour only writes in a
  // temporary folder.
  const isElsewhere = (place: string) =>
    /^(?:(?:main|app|embedded|library)\.ts|commands\/(?:serve|tour)\/|commands\/serve\.ts resetDemo)/.test(place);
  const all = [...placesIn(DOOR, () => true)].filter((place) => !isElsewhere(place));
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((place) => !doors.has(place))).toEqual([]);
});

/** Flags that name a file or a folder: those that are written have rows. */
const WRITTEN = ["--junit", "--key-out", "--out", "--record", "--report", "--state", "--undo-file"];
const READ = [
  "--abi",
  "--allow-file",
  "--approvers",
  "--config",
  "--file",
  "--identity",
  "--instructions",
  "--listen-cert",
  "--listen-key",
  "--operations",
  "--policies",
];

interface Described {
  command: string;
  common_flags: string[];
  flags: { names: string[]; type: string }[];
}

test("commands that record a write, and flags that name a file to write, have rows", async () => {
  const { commands } = JSON.parse((await cli("help --json")).stdout) as { commands: Described[] };
  const lines = ROWS.map(({ line }) => `${line} `);
  const missing = commands.flatMap(({ command, common_flags, flags }) => {
    const own = lines.filter((line) => line.startsWith(`${command} `));
    const written = flags.flatMap(({ names }) => names.filter((name) => WRITTEN.includes(name)));
    return [
      ...(common_flags.includes("--reason") && own.length === 0 ? [command] : []),
      ...written.filter((flag) => !own.some((line) => line.includes(` ${flag} `))).map((flag) => `${command} ${flag}`),
    ];
  });
  expect(commands.length).toBeGreaterThan(60);
  expect(missing).toEqual([]);
});

test("every flag that takes a file is known to be read or written", async () => {
  const { commands } = JSON.parse((await cli("help --json")).stdout) as { commands: Described[] };
  const flags = commands.flatMap(({ flags }) => flags.filter(({ type }) => /file|folder|path/.test(type)));
  const names = new Set(flags.flatMap((flag) => flag.names.filter((name) => name.startsWith("--"))));
  expect(names.size).toBeGreaterThan(15);
  const unknown = [...names].filter((name) => !WRITTEN.includes(name) && !READ.includes(name));
  // `--token-file` and its like say by their names that they stand for a value.
  expect(unknown.filter((name) => !name.endsWith("-file"))).toEqual([]);
});
