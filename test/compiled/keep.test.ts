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

test("creates the folder for the user only, and keeps Node's files", () => {
  const { parent, user, folder, version } = kept();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(nodeFolder(parent, user)).toBe(folder);
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
  nodeFolder(parent, user);
  expect(readdirSync(version)).toEqual(["good"]);
});

test("removes one of two hard links", () => {
  const { parent, user, version } = kept();
  linkSync(join(version, "good"), join(version, "same"));
  nodeFolder(parent, user);
  expect(readdirSync(version)).toEqual(["same"]);
});

test("removes a link in place of a version, but not its target", () => {
  const { parent, user, folder } = kept();
  mkdirSync(join(parent, "elsewhere"));
  writeFileSync(join(parent, "elsewhere", "file"), "");
  symlinkSync(join(parent, "elsewhere"), join(folder, "v26"));
  nodeFolder(parent, user);
  expect(existsSync(join(folder, "v26"))).toBe(false);
  expect(existsSync(join(parent, "elsewhere", "file"))).toBe(true);
});

test("does not use a folder that others can open", () => {
  const parent = realpathSync(temporaryFolder());
  mkdirSync(join(parent, "node"), { mode: 0o755 });
  expect(nodeFolder(parent, statSync(parent).uid)).toBeUndefined();
});
