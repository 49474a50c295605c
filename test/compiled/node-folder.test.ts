import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFolder } from "../../src/compiled/keep.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

/** A folder of Node's with one version in it, and a file that was kept. */
function kept() {
  const parent = realpathSync(temporaryFolder());
  const user = statSync(parent).uid;
  const folder = nodeFolder(parent, user) ?? "";
  const version = join(folder, "v24.0.0-x64");
  mkdirSync(version);
  writeFileSync(join(version, "good"), "code");
  return { parent, user, folder, version };
}

test("the folder is the user's alone, and what Node wrote stays", () => {
  const { parent, user, folder, version } = kept();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(nodeFolder(parent, user)).toBe(folder);
  expect(readdirSync(version)).toEqual(["good"]);
});

test.each<[string, (path: string, good: string) => void]>([
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a link", (path, good) => symlinkSync(good, path)],
  ["a link to nothing", (path) => symlinkSync("/nowhere", path)],
  ["a folder", (path) => mkdirSync(path)],
  ["a file that is too large", (path) => writeFileSync(path, Buffer.alloc(17 * 2 ** 20))],
])("%s among the files is removed, and nothing else", (_, make) => {
  const { parent, user, version } = kept();
  make(join(version, "bad"), join(version, "good"));
  nodeFolder(parent, user);
  expect(readdirSync(version)).toEqual(["good"]);
});

test("a second name of a file is removed with it", () => {
  const { parent, user, version } = kept();
  linkSync(join(version, "good"), join(version, "same"));
  nodeFolder(parent, user);
  expect(readdirSync(version)).toEqual(["same"]);
});

test("a link in the place of a version is removed, and what it leads to stays", () => {
  const { parent, user, folder } = kept();
  mkdirSync(join(parent, "elsewhere"));
  writeFileSync(join(parent, "elsewhere", "file"), "");
  symlinkSync(join(parent, "elsewhere"), join(folder, "v26"));
  nodeFolder(parent, user);
  expect(existsSync(join(folder, "v26"))).toBe(false);
  expect(existsSync(join(parent, "elsewhere", "file"))).toBe(true);
});

test("a folder that others can open is not used", () => {
  const parent = realpathSync(temporaryFolder());
  mkdirSync(join(parent, "node"), { mode: 0o755 });
  expect(nodeFolder(parent, statSync(parent).uid)).toBeUndefined();
});
