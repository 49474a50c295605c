import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFolder } from "../../src/compiled/keep.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

const DAY = 24 * 3_600_000;
const NOW = Date.parse("2026-03-01T00:00:00Z");

/** Writes a file that was last used so many days ago. */
function usedBefore(days: number, path: string, bytes = 4): void {
  writeFileSync(path, Buffer.alloc(bytes));
  const used = new Date(NOW - days * DAY);
  utimesSync(path, used, used);
}

/** A folder of Node's with one version in it, and a file that was kept. */
function kept() {
  const parent = realpathSync(temporaryFolder());
  const user = statSync(parent).uid;
  const folder = nodeFolder(parent, user, NOW) ?? "";
  const version = join(folder, "v24.0.0-x64");
  mkdirSync(version);
  usedBefore(0, join(version, "good"));
  return { parent, user, folder, version };
}

test("creates the folder for the user only, and keeps Node's files", () => {
  const { parent, user, folder, version } = kept();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(nodeFolder(parent, user, NOW)).toBe(folder);
  expect(readdirSync(version)).toEqual(["good"]);
});

test.each<[string, (path: string, good: string) => void]>([
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a dangling link", (path, good) => symlinkSync(good, path)],
  ["a link to nothing", (path) => symlinkSync("/nowhere", path)],
  ["a folder", (path) => mkdirSync(path)],
  ["a file above the size limit", (path) => writeFileSync(path, Buffer.alloc(17 * 2 ** 20))],
])("removes only %s among the files", (_, make) => {
  const { parent, user, version } = kept();
  make(join(version, "bad"), join(version, "good"));
  nodeFolder(parent, user, NOW);
  expect(readdirSync(version)).toEqual(["good"]);
});

test("removes one of two hard links", () => {
  const { parent, user, version } = kept();
  linkSync(join(version, "good"), join(version, "same"));
  nodeFolder(parent, user, NOW);
  expect(readdirSync(version)).toEqual(["same"]);
});

test("removes a link in place of a version, but not its target", () => {
  const { parent, user, folder } = kept();
  mkdirSync(join(parent, "elsewhere"));
  writeFileSync(join(parent, "elsewhere", "file"), "");
  symlinkSync(join(parent, "elsewhere"), join(folder, "v26"));
  nodeFolder(parent, user, NOW);
  expect(existsSync(join(folder, "v26"))).toBe(false);
  expect(existsSync(join(parent, "elsewhere", "file"))).toBe(true);
});

test("does not use a folder that others can open", () => {
  const parent = realpathSync(temporaryFolder());
  mkdirSync(join(parent, "node"), { mode: 0o755 });
  expect(nodeFolder(parent, statSync(parent).uid, NOW)).toBeUndefined();
});

test("removes files that no run used for two weeks, of every version of Node, and empty versions", () => {
  const { parent, user, folder, version } = kept();
  const older = join(folder, "v22.0.0-x64");
  mkdirSync(older);
  usedBefore(15, join(version, "old"));
  usedBefore(13, join(version, "recent"));
  usedBefore(15, join(older, "old"));
  nodeFolder(parent, user, NOW);
  expect(readdirSync(version).sort()).toEqual(["good", "recent"]);
  expect(readdirSync(older)).toEqual([]);
  utimesSync(older, new Date(NOW - 15 * DAY), new Date(NOW - 15 * DAY));
  nodeFolder(parent, user, NOW);
  expect(readdirSync(folder)).toEqual(["v24.0.0-x64"]);
});

test("removes the least recently used files above 32 MiB, whatever version of Node wrote them", () => {
  const { parent, user, folder, version } = kept();
  const other = join(folder, "v22.0.0-x64");
  mkdirSync(other);
  for (const [days, name] of [
    [1, "a"],
    [2, "b"],
    [3, "c"],
  ] as const)
    usedBefore(days, join(other, name), 15 * 2 ** 20);
  usedBefore(4, join(version, "d"));
  nodeFolder(parent, user, NOW);
  expect(readdirSync(other).sort()).toEqual(["a", "b"]);
  expect(readdirSync(version)).toEqual(["good"]);
});
