import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { createFileLoader } from "../../src/compiled/file-loader.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

const USER = process.geteuid?.();
const WITHOUT_A_LOOK = 65;
const WITH_A_LOOK = 128;

/** A program of two functions, in a file that is worth keeping or not, next to the file that loads it. */
function program(length: number) {
  const folder = temporaryFolder();
  const file = join(folder, "program-Ab12Cd34.js");
  const body = Array.from({ length: 300 }, (_, index) => `n += ${index} * n;`).join(" ");
  const text = `exports.one = (n) => { ${body} return n; };\nexports.two = (n) => { ${body} return n; };\n`;
  writeFileSync(file, `${text}// ${"x".repeat(Math.max(0, length - text.length))}\n`);
  const temporary = realpathSync(temporaryFolder());
  return { file, temporary, folder: join(temporary, `relayctl-compiled-${USER ?? "user"}`) };
}

type Program = ReturnType<typeof program>;

/** A file that Node loaded, next to a program. */
function loadedBy({ file }: Program) {
  return { filename: join(dirname(file), "main.js"), exports: { name: "main" }, require: createRequire(file) };
}

function startProcess({ temporary }: Program, pid: number, more: { env?: NodeJS.ProcessEnv; options?: string[] } = {}) {
  const ends: (() => void)[] = [];
  const loadFile = createFileLoader(() => ({
    env: { TMPDIR: temporary, ...more.env },
    platform: "linux",
    user: USER,
    engine: "20.20.2-x64",
    started: ["/usr/bin/node", ...(more.options ?? [])],
    pid,
    now: NOW,
    crc32,
    atExit: (write) => void ends.push(write),
  }));
  const end = () => {
    for (const each of ends) each();
    // Node warns of more than ten listeners for the end of a process.
    expect(ends.length).toBeLessThan(2);
    return ends.length > 0;
  };
  return { loadFile, end };
}

function run(tested: Program, pid: number, called: "one" | "two", options: string[] = []) {
  const { loadFile, end } = startProcess(tested, pid, { options });
  const exports = loadFile(loadedBy(tested), `./${basename(tested.file)}`) as Record<string, (n: number) => unknown>;
  const result = exports[called]?.(1);
  return { result, wrote: end() };
}

function sizesIn(folder: string): number[] {
  return readdirSync(folder).map((name) => statSync(join(folder, name)).size);
}

test("caches the code of a large file, but not of a small one", () => {
  const large = program(60_000);
  const small = program(0);
  for (const each of [large, small]) expect(run(each, WITHOUT_A_LOOK, "one").result).toBeGreaterThan(0);
  expect(sizesIn(large.folder)).toEqual([expect.any(Number)]);
  expect(existsSync(small.folder)).toBe(false);
});

test("loads cached code, and adds what a later run compiles", () => {
  const kept = program(60_000);
  const first = run(kept, WITHOUT_A_LOOK, "one");
  const [before = 0] = sizesIn(kept.folder);
  expect(run(kept, WITHOUT_A_LOOK, "two")).toEqual({ ...first, wrote: false });
  expect(run(kept, WITH_A_LOOK, "two")).toEqual({ ...first, wrote: true });
  const [after = 0] = sizesIn(kept.folder);
  expect(after).toBeGreaterThan(before);
});

test("a run that keeps one file adds what it compiled of the others", () => {
  const kept = program(60_000);
  run(kept, WITHOUT_A_LOOK, "one");
  const [before = 0] = sizesIn(kept.folder);
  const { loadFile, end } = startProcess(kept, WITHOUT_A_LOOK);
  const { two } = loadFile(loadedBy(kept), `./${basename(kept.file)}`) as { two(n: number): number };
  two(1);
  writeFileSync(join(dirname(kept.file), "other-Ab12Cd34.js"), `//${"x".repeat(60_000)}`);
  loadFile(loadedBy(kept), "./other-Ab12Cd34.js");
  end();
  expect(Math.max(...sizesIn(kept.folder))).toBeGreaterThan(before);
});

test("keeps dynamic imports working", async () => {
  // Node 20 calls them experimental in this process, and nobody is to wonder at it.
  vi.spyOn(process, "emitWarning").mockReturnValue();
  const kept = program(60_000);
  writeFileSync(kept.file, `${readFileSync(kept.file, "utf8")}exports.one = () => import("node:path");\n`);
  for (const pid of [WITHOUT_A_LOOK, WITHOUT_A_LOOK]) expect(await run(kept, pid, "one").result).toHaveProperty("join");
});

test("keeps a larger cache after a run that compiled less", () => {
  const kept = program(60_000);
  run(kept, WITHOUT_A_LOOK, "one");
  const sizes = sizesIn(kept.folder);
  run(kept, WITH_A_LOOK, "one");
  expect(sizesIn(kept.folder)).toEqual(sizes);
});

function keptProgram() {
  const kept = program(60_000);
  const first = run(kept, WITHOUT_A_LOOK, "one");
  return { kept, first, path: join(kept.folder, readdirSync(kept.folder)[0] ?? "") };
}

/** What a program gives after something was done to the file that was kept of it, and what stands there then. */
function afterDamage(act: (path: string) => void) {
  const { kept, first, path } = keptProgram();
  act(path);
  const second = run(kept, WITHOUT_A_LOOK, "one");
  const third = run(kept, WITHOUT_A_LOOK, "one");
  return { first, second, third, path };
}

function flip(bytes: Buffer, places: readonly number[]): Buffer {
  for (const place of places) bytes[place] = (bytes[place] ?? 0) ^ 0x10;
  return bytes;
}

function halved(path: string): string {
  const half = `${path}.half`;
  renameSync(path, half);
  return half;
}

function pipeAt(path: string): void {
  rmSync(path);
  execFileSync("mkfifo", [path]);
}

test.each<[string, (path: string) => void]>([
  ["a link to the cache", (path) => symlinkSync(halved(path), path)],
  ["a second hard link to the cache", (path) => linkSync(path, `${path}.second`)],
  ["a file that others can read", (path) => chmodSync(path, 0o644)],
  ["a file above the size limit", (path) => truncateSync(path, 17 * 2 ** 20)],
  ["an empty file", (path) => truncateSync(path, 0)],
  ["a checksum without code", (path) => truncateSync(path, 8)],
  ["a pipe without a writer", pipeAt],
])("replaces %s without reading or waiting", (_, act) => {
  const { first, second, third, path } = afterDamage(act);
  expect([second, third]).toEqual([first, { ...first, wrote: false }]);
  expect(lstatSync(path)).toMatchObject({ nlink: 1, mode: 0o100600 });
});

test("leaves a folder in its place unchanged", () => {
  const { first, second, path } = afterDamage((path) => {
    rmSync(path);
    mkdirSync(path);
  });
  expect(second).toEqual(first);
  expect(readdirSync(path)).toEqual([]);
});

test("leaves no incomplete file if the code cannot be written", () => {
  const { path } = afterDamage((path) => {
    rmSync(path);
    mkdirSync(path);
  });
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

test("detects wrong bits before V8 reads the code", () => {
  const { kept, first, path } = keptProgram();
  const good = readFileSync(path);
  const half = good.length >> 1;
  const places = Array.from({ length: 40 }, (_, index) => Math.floor((index * (half - 1)) / 40));
  for (const place of [...places, 3, 4, 5]) {
    for (const several of [[place], [place, place + half], [place, good.length - 1 - place]]) {
      writeFileSync(path, flip(Buffer.from(good), several));
      expect(run(kept, WITHOUT_A_LOOK, "one")).toEqual(first);
    }
  }
});

test("ignores code of another source of the same length", () => {
  const [one, other] = [program(60_000), program(60_000)];
  writeFileSync(other.file, readFileSync(one.file, "utf8").replaceAll("n += 7 * n", "n += 8 * n"));
  const expected = run(other, WITHOUT_A_LOOK, "one");
  run(one, WITHOUT_A_LOOK, "one");
  const [from = ""] = readdirSync(one.folder);
  const [to = ""] = readdirSync(other.folder);
  writeFileSync(join(other.folder, to), readFileSync(join(one.folder, from)), { mode: 0o600 });
  expect(run(other, WITHOUT_A_LOOK, "one")).toEqual(expected);
});

test("ignores a file that a killed process left unfinished", () => {
  const kept = program(60_000);
  const { wrote } = run(kept, WITHOUT_A_LOOK, "one");
  const [name = ""] = readdirSync(kept.folder);
  rmSync(join(kept.folder, name));
  symlinkSync("/nowhere", join(kept.folder, `${name}.${WITHOUT_A_LOOK}`));
  expect(run(kept, WITHOUT_A_LOOK, "one").wrote).toBe(wrote);
  expect(readdirSync(kept.folder)).toEqual([name]);
});

/** Before any file of the tests was written: none of them is old. */
const NOW = Date.UTC(2026, 0, 1);
const LONG_AGO = new Date(NOW - 15 * 24 * 3_600_000);

/** Adds an entry that nothing used for more than two weeks. */
function addOld(folder: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "old", { mode: 0o600 });
  utimesSync(path, LONG_AGO, LONG_AGO);
  return name;
}

test("removes unused code of other builds when code is compiled, and no other entry", () => {
  const { kept, path } = keptProgram();
  const { folder } = kept;
  for (const name of ["core-1.js-0123abcd-20.18.1-x64", "core-1.js-0123abcd-20.18.1-x64.4711"]) addOld(folder, name);
  const foreign = ["notes.txt", "core-1.js", "core-1.js-20.18.1-x64"].map((name) => addOld(folder, name));
  symlinkSync(join(folder, "notes.txt"), join(folder, "link.js-0123abcd-20.18.1-x64"));
  lutimesSync(join(folder, "link.js-0123abcd-20.18.1-x64"), LONG_AGO, LONG_AGO);
  mkdirSync(join(folder, "folder.js-0123abcd-20.18.1-x64"));
  rmSync(path);
  run(kept, WITHOUT_A_LOOK, "one");
  const stay = [...foreign, "link.js-0123abcd-20.18.1-x64", "folder.js-0123abcd-20.18.1-x64", basename(path)];
  expect(readdirSync(folder).sort()).toEqual(stay.sort());
});

test("a run that compiles nothing lists no folder and removes nothing", () => {
  const { kept } = keptProgram();
  const old = addOld(kept.folder, "core-1.js-0123abcd-20.18.1-x64");
  run(kept, WITHOUT_A_LOOK, "one");
  expect(readdirSync(kept.folder)).toContain(old);
});

test("two installations with files of the same names keep their code next to each other", () => {
  const [one, other] = [program(60_000), program(60_000)];
  const both = { ...other, temporary: one.temporary };
  writeFileSync(other.file, readFileSync(one.file, "utf8").replaceAll("n += 7 * n", "n += 8 * n"));
  for (const each of [one, both]) expect(run(each, WITHOUT_A_LOOK, "one").wrote).toBe(true);
  for (const each of [one, both, one, both]) expect(run(each, WITHOUT_A_LOOK, "one").wrote).toBe(false);
});

function addLarge(folder: string, name: string, days: number, mebibytes = 15): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.alloc(mebibytes * 2 ** 20), { mode: 0o600 });
  const used = new Date(NOW - days * 24 * 3_600_000);
  utimesSync(path, used, used);
  return name;
}

test("removes the least recently used code above 32 MiB, whatever version of Node wrote it", () => {
  const { kept, path } = keptProgram();
  const [first = "", second = "", third = ""] = ["22.11.0", "20.18.1", "24.0.0"].map((version, index) =>
    addLarge(kept.folder, `core-1.js-0123abcd-${version}-x64`, index + 1),
  );
  rmSync(path);
  run(kept, WITHOUT_A_LOOK, "one");
  expect(readdirSync(kept.folder).sort()).toEqual([first, second, basename(path)].sort());
  expect(readdirSync(kept.folder)).not.toContain(third);
});

test("counts the code that a run adds toward the 32 MiB", () => {
  const { kept, path } = keptProgram();
  rmSync(path);
  const sizes = [15, 15, 2];
  const [first, second] = sizes.map((size, index) =>
    addLarge(kept.folder, `core-${index}.js-0123abcd-22.11.0-x64`, index + 1, size),
  );
  run(kept, WITHOUT_A_LOOK, "one");
  expect(readdirSync(kept.folder).sort()).toEqual([first, second, basename(path)].sort());
});

test("keeps code for each set of Node's options", () => {
  const kept = program(60_000);
  for (const options of [[], ["--jitless"]]) expect(run(kept, WITHOUT_A_LOOK, "one", options).wrote).toBe(true);
  for (const options of [[], ["--jitless"]]) expect(run(kept, WITHOUT_A_LOOK, "one", options).wrote).toBe(false);
});

test("loads the files, and keeps nothing, if nothing may be kept, or there is no folder for it", () => {
  const kept = program(60_000);
  for (const env of [{ NODE_DISABLE_COMPILE_CACHE: "1" }, { TMPDIR: join(kept.temporary, "missing") }]) {
    const { loadFile, end } = startProcess(kept, WITHOUT_A_LOOK, { env });
    expect(loadFile(loadedBy(kept), `./${basename(kept.file)}`)).toHaveProperty("one");
    expect(end()).toBe(false);
  }
  expect(existsSync(kept.folder)).toBe(false);
});

function loadFiles(files: Readonly<Record<string, string>>): unknown {
  const tested = program(0);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dirname(tested.file), name), text);
  const { loadFile } = startProcess(tested, WITHOUT_A_LOOK);
  return loadFile(loadedBy(tested), `./${Object.keys(files)[0]}`);
}

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

test("files load each other once, the file that loads them, and modules of Node", () => {
  const loaded = loadFiles({
    "a.js": `exports.early = 1; exports.b = require("./b.js"); exports.again = require("./b.js"); exports.os = require("node:os");`,
    "b.js": `exports.early = require("./a.js").early; exports.main = require("./main.js"); exports.at = __filename;`,
  }) as Record<string, unknown>;
  const b = { early: 1, main: { name: "main" }, at: expect.stringMatching(/[\\/]b\.js$/) };
  expect(loaded).toMatchObject({ early: 1, b, os: { EOL: expect.any(String) } });
  expect(loaded.again).toBe(loaded.b);
});

test("reads texts beyond ASCII as they are written", () =>
  expect(loadFiles({ "a.js": `exports.text = "naïve → 🙂";` })).toEqual({ text: "naïve → 🙂" }));

test("an error has its position in the file, on the first line too", () => {
  const { at } = loadFiles({ "a.js": "exports.at = new Error().stack;" }) as { at: string };
  expect(at).toMatch(/a\.js:1:14\b/);
});

test("a file that cannot be read is an error of relayctl, and not of a file of the user", () => {
  const failed = attempt(() => loadFiles({ "a.js": `require("./gone.js");` }));
  expect(failed).toMatchObject({ failure: "internal", applied: "unknown" });
  expect(failed).toHaveProperty("message", expect.stringMatching(/[\\/]gone\.js: cannot be read \(ENOENT\)$/));
  expect(failed).not.toHaveProperty("code");
});

test("a file that throws is loaded again by the next one that needs it", () => {
  const loaded = loadFiles({
    "a.js": `let n = 0; for (let i = 0; i < 2; i++) try { require("./b.js") } catch { n++ } exports.failures = n;`,
    "b.js": `throw new Error("no");`,
  });
  expect(loaded).toEqual({ failures: 2 });
});

test("runs if the folder disappears before the code is written", () => {
  const kept = program(60_000);
  const { loadFile, end } = startProcess(kept, WITHOUT_A_LOOK);
  loadFile(loadedBy(kept), `./${basename(kept.file)}`);
  rmSync(kept.folder, { recursive: true });
  expect(end()).toBe(true);
  expect(existsSync(kept.folder)).toBe(false);
});
