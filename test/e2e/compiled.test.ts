import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { execa } from "execa";
import { chosen } from "../helpers/deep.ts";
import { appliedIn } from "../helpers/receipts.ts";
import { removeFolder } from "../helpers/remove-folder.ts";
import { type Ended, newFolder, ROOT, relayctl, spawnOptions, type World } from "./relayctl.ts";
import { serve } from "./services/embedded.ts";

const LIST = ["--demo", "relayers", "list", "-o", "name"];

function freshWorld(more: Record<string, string> = {}): World & { folder: string } {
  const folder = newFolder();
  return { folder, env: { TMPDIR: folder, ...more } };
}

/** What one command kept on a machine, and what it printed. */
const kept = mkdtempSync(join(tmpdir(), "relayctl-kept-"));
let first: Ended;

beforeAll(async () => {
  const world = { folder: kept, env: { TMPDIR: kept } };
  // The first run also loads what stores the demo.
  await relayctl(LIST, world);
  rmSync(keptFolder(kept) ?? "", { recursive: true });
  first = await relayctl(LIST, world);
});
afterAll(() => removeFolder(kept));

function livedWorld() {
  const world = freshWorld();
  cpSync(kept, world.folder, { recursive: true, preserveTimestamps: true });
  // Later versions of Node open copied folders to others.
  chmodSync(keptFolder(world.folder) ?? "", 0o700);
  return world;
}

function keptFolder(folder: string): string | undefined {
  const name = readdirSync(folder).find((each) => each.startsWith("relayctl-compiled-"));
  return name && join(folder, name);
}

/** Every file that was kept, with the time when it was written. */
function keptIn({ folder }: { folder: string }): Map<string, number> {
  const root = keptFolder(folder) ?? "";
  const found = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name));
  const files = found.filter((path) => statSync(path).isFile());
  return new Map(files.sort().map((path) => [path, statSync(path).mtimeMs]));
}

test("the next run uses the code that an earlier run compiled, and adds no file", async () => {
  const world = livedWorld();
  const before = keptIn(world);
  expect([...before.keys()].some((path) => statSync(path).size > 50_000)).toBe(true);
  expect(await relayctl(LIST, world)).toEqual(first);
  expect([...keptIn(world).keys()]).toEqual([...before.keys()]);
});

const DAMAGE: Record<string, (bytes: Buffer) => Buffer> = {
  "one bit of it turned": (bytes) => {
    const turned = Buffer.from(bytes);
    const at = bytes.length >> 2;
    turned[at] = (turned[at] ?? 0) ^ 1;
    return turned;
  },
  "the same bits of both halves turned": (bytes) => {
    const turned = Buffer.from(bytes);
    const half = bytes.length >> 1;
    for (let at = 500; at < half; at += 997)
      for (const place of [at, at + half]) turned[place] = (turned[place] ?? 0) ^ 1;
    return turned;
  },
  "half of it gone": (bytes) => bytes.subarray(0, bytes.length / 2),
};

test.each(chosen(Object.keys(DAMAGE), 1))("damaged compiled code, %s, is compiled again", async (damage) => {
  const world = livedWorld();
  for (const path of keptIn(world).keys()) writeFileSync(path, DAMAGE[damage]?.(readFileSync(path)) ?? "");
  expect(await relayctl(LIST, world)).toEqual(first);
  expect(await relayctl(LIST, world)).toEqual(first);
});

test.each(chosen(["a pipe without a writer", "a link to an endless file"], 0))(
  "%s in place of compiled code does not block the run, and is replaced",
  async (what) => {
    const world = livedWorld();
    const paths = [...keptIn(world).keys()];
    for (const path of paths) {
      rmSync(path);
      if (what.startsWith("a pipe")) execFileSync("mkfifo", [path]);
      else symlinkSync("/dev/zero", path);
    }
    expect(await relayctl(LIST, world)).toEqual(first);
    expect([...keptIn(world).keys()]).toEqual(paths);
    expect(paths.map((path) => lstatSync(path).isFile())).toEqual(paths.map(() => true));
  },
);

test("other commands leave the code of lists as it is, and keep their own", async () => {
  const world = livedWorld();
  const before = keptIn(world);
  await relayctl(["--demo", "networks", "get", "evm:base"], world);
  const after = keptIn(world);
  expect([...after].filter(([path]) => before.has(path))).toEqual([...before]);
  const copies = [...after.keys()].filter((path) => basename(path).startsWith("core-"));
  expect(copies).toHaveLength(2);
});

test("a bulk write uses the code that an earlier one compiled, that of its pool too, and adds no file", async () => {
  const world = freshWorld();
  const server = await serve();
  const env = { ...world.env, ...server.env };
  const seen: string[][] = [];
  for (const verb of ["pause", "resume", "pause"]) {
    const { exitCode, stderr } = await relayctl(["relayers", verb, "eth-main-1", "base-hot", "--yes"], {
      ...world,
      env,
    });
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${appliedIn("\\S+")}2 relayers ${verb}d`)),
    ]);
    seen.push([...keptIn(world).keys()]);
  }
  const [one = [], ...later] = seen;
  expect(one.map((path) => basename(path))).toContainEqual(expect.stringMatching(/^pool\.js-/));
  expect(later).toEqual([one, one]);
});

test("a run with V8 flags does not change existing compiled code", async () => {
  const world = livedWorld();
  const before = keptIn(world);
  const env = { ...world.env, NODE_OPTIONS: "--stack-trace-limit=20" };
  expect(await relayctl(LIST, { ...world, env })).toEqual(first);
  for (const [path, written] of before) expect(statSync(path).mtimeMs).toBe(written);
});

test("NODE_DISABLE_COMPILE_CACHE prevents the cache, and no run writes to the home folder", async () => {
  const world = freshWorld({ NODE_DISABLE_COMPILE_CACHE: "1" });
  expect((await relayctl(LIST, world)).exitCode).toBe(0);
  expect(keptFolder(world.folder)).toBeUndefined();
  const home = newFolder();
  const env = { TMPDIR: world.folder, HOME: home, RELAYCTL_SERVER: "http://127.0.0.1:9", RELAYCTL_TOKEN: "a-token" };
  await relayctl(["relayers", "list", "--retries", "0"], { folder: home, env });
  expect(existsSync(join(home, ".cache"))).toBe(false);
});

test("a folder that other users can write to is not read", async () => {
  const world = livedWorld();
  const paths = [...keptIn(world).keys()];
  chmodSync(keptFolder(world.folder) ?? "", 0o777);
  for (const path of paths) writeFileSync(path, "not looked at");
  expect(await relayctl(LIST, world)).toEqual(first);
  expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(paths.map(() => "not looked at"));
});

/** Installs the program without one of its files, and returns the paths of that file and of what starts the program. */
function incompleteProgram(missing: string) {
  const folder = newFolder();
  for (const part of ["package.json", "bin", "dist"])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter: (path) => !path.endsWith(".map") });
  const files = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
  const gone = join(folder, "dist", files.find((path) => path.includes(missing)) ?? "");
  rmSync(gone);
  return { gone, bin: join(folder, "bin/relayctl.js") };
}

test.each(chosen(["chunks/core-", "chunks/embedded-server-"], 1))(
  "shows which file of the program is missing: %s",
  async (missing) => {
    const { gone, bin } = incompleteProgram(missing);
    const world = spawnOptions(freshWorld());
    const { exitCode, stdout, stderr } = await execa(process.execPath, [bin, ...LIST], world);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr.split("\n").slice(0, 2)).toEqual([
      `error: ${gone}: cannot be read (ENOENT)`,
      expect.stringMatching(/^ {2}it is a file of relayctl: run the command again if relayctl was just upgraded/),
    ]);
  },
);
