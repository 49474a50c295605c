import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileMark, readTextNow } from "../../../src/config/files/read-now.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("reads a file up to the limit", () => {
  const folder = temporaryFolder();
  const path = join(folder, "file");
  writeFileSync(path, "four");
  expect(readTextNow(path, 4)).toBe("four");
  expect(readTextNow(path, 3)).toBeUndefined();
});

test("returns nothing for other than regular files, without waiting for a pipe", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "folder"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const name of ["folder", "pipe", "missing"]) expect(readTextNow(join(folder, name), 100)).toBeUndefined();
});

test("a rewritten file has another mark", () => {
  const path = join(temporaryFolder(), "file");
  const missing = fileMark(path);
  writeFileSync(path, "one");
  const first = fileMark(path);
  writeFileSync(path, "other");
  expect(new Set([missing, first, fileMark(path)]).size).toBe(3);
});
