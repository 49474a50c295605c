import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { intent } from "./entries.ts";
import { all, MONTH, type Opened, opened } from "./opened.ts";

async function oneLine(): Promise<Opened> {
  const world = opened();
  await world.journal.append(intent("w1"));
  return world;
}

/** Everything that reads or appends. */
const uses = ({ reopen }: Opened) => [
  () => reopen().append(intent("w2")),
  () => reopen().find("w1"),
  () => all(reopen()),
  () => reopen().verify(),
];

const moved = (world: Opened, name: string) => renameSync(world.file(name), join(world.path, "..", name));

test.each<[string, (world: Opened) => void, string, string]>([
  [
    "a link in place of a file",
    (world) => {
      moved(world, MONTH);
      symlinkSync(join("..", MONTH), world.file());
    },
    MONTH,
    "is a link, and not a file of the journal",
  ],
  [
    "a folder in place of a file",
    (world) => {
      moved(world, MONTH);
      mkdirSync(world.file());
    },
    MONTH,
    "is not a regular file",
  ],
])("rejects %s, and changes nothing", async (_, change, name, rule) => {
  const world = await oneLine();
  change(world);
  const error = { failure: "usage", message: `${world.file(name)}: ${rule}` };
  for (const use of uses(world)) await expect(use()).rejects.toMatchObject(error);
});

test("rejects a line of a newer version, but does not lose a write because of it", async () => {
  const world = await oneLine();
  world.add('{"v":2,"entry":{"key":"w1"}}\n');
  const error = { failure: "usage", message: `${world.file()}: was written by a newer relayctl` };
  const [append, ...reads] = uses(world);
  await append?.();
  for (const read of reads) await expect(read()).rejects.toMatchObject(error);
  expect(world.lines()).toHaveLength(3);
});

test.each<[string, (world: Opened) => void, string]>([
  [
    "a link in place of the head",
    (world) => symlinkSync("elsewhere", world.file("head.json")),
    "is a link, and not a file of the journal",
  ],
  ["a folder in place of the head", (world) => mkdirSync(world.file("head.json")), "is not a regular file"],
  [
    "a head of a newer version",
    ({ write }) => write(['{"version":2}'], "head.json"),
    "was written by a newer relayctl",
  ],
])("rejects %s", async (_, change, rule) => {
  const world = await oneLine();
  rmSync(world.file("head.json"));
  change(world);
  const failure = rule.includes("newer") ? "io" : "usage";
  const error = { failure, message: `${world.file("head.json")}: ${rule}` };
  for (const use of uses(world).filter((_, index) => index !== 2)) await expect(use()).rejects.toMatchObject(error);
  expect(world.lines()).toHaveLength(1);
});

test.each(["", MONTH, "head.json"])("rejects another user's file or folder: %j", async (name) => {
  const world = await oneLine();
  chownSync(world.file(name), 1234, 1234);
  const error = {
    failure: "usage",
    message: `${join(world.path, name)}: belongs to another user; set RELAYCTL_JOURNAL to use another folder`,
  };
  await expect(world.reopen().append(intent("w2"))).rejects.toMatchObject(error);
  await expect(world.reopen().verify()).rejects.toMatchObject(error);
});

test("makes files and the folder private if they were open to other users, with a note", async () => {
  const world = await oneLine();
  const paths = [world.path, world.file(), world.file("head.json")];
  for (const path of paths) chmodSync(path, 0o755);
  await world.journal.verify();
  expect(world.notes.sort()).toEqual(
    paths.map((path) => `${path} was open to other users; only you can read it now`).sort(),
  );
  for (const path of paths) expect(statSync(path).mode & 0o077).toBe(0);
});

test("leaves a folder with other files open, but not its own files", async () => {
  const world = await oneLine();
  world.write(["mine"], "notes.txt");
  for (const path of [world.path, world.file()]) chmodSync(path, 0o755);
  await world.journal.append(intent("w2"));
  expect(statSync(world.path).mode & 0o777).toBe(0o755);
  expect(statSync(world.file()).mode & 0o777).toBe(0o600);
});

test("reading without a journal returns nothing, and creates nothing", async () => {
  const world = opened();
  expect(await all(world.journal)).toEqual([]);
  expect(await world.journal.find("w1")).toEqual([]);
  expect(await world.journal.verify()).toEqual({ files: 0, lines: 0 });
  expect(existsSync(world.path)).toBe(false);
});

test("a folder that cannot be created is an I/O failure", async ({ skip }) => {
  if (!existsSync("/proc/self")) return skip("there is no /proc here");
  const { journal, path } = opened("/proc/none/journal");
  const problem = { failure: "io", message: `${path}: cannot be written: it does not exist` };
  await expect(journal.append(intent("w1"))).rejects.toMatchObject(problem);
});
