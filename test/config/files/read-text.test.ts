import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../../../src/config/files/read-text.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MAX = 1000;

test("reads a text with its byte order mark and line breaks", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "\ufeffä\r\n");
  expect(await readText(path, MAX)).toBe("\ufeffä\r\n");
});

test("returns nothing for a missing file or folder", async () => {
  expect(await readText(join(temporaryFolder(), "file"), MAX)).toBeUndefined();
  expect(await readText(join(temporaryFolder(), "folder", "file"), MAX)).toBeUndefined();
});

test.each<[string, (path: string) => void, string]>([
  ["a folder", (path) => mkdirSync(path), "is not a regular file"],
  ["a pipe without a writer", (path) => execFileSync("mkfifo", [path]), "is not a regular file"],
  ["a dangling link", (path) => symlinkSync(`${path}-gone`, path), "is a link to a file that does not exist"],
  ["a link to itself", (path) => symlinkSync(path, path), "cannot be read: its links form a loop"],
  ["an oversized file", (path) => writeFileSync(path, "s".repeat(MAX + 1)), "is larger than 1000 bytes"],
  ["invalid UTF-8", (path) => writeFileSync(path, Buffer.from([0x73, 0xff])), "is not UTF-8 text"],
])("rejects %s", async (_, make, rule) => {
  const path = join(temporaryFolder(), "file");
  make(path);
  await expect(readText(path, MAX)).rejects.toMatchObject({ failure: "usage", message: `${path}: ${rule}` });
});

test("rejects a path through a file", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "");
  await expect(readText(join(path, "inner"), MAX)).rejects.toMatchObject({
    failure: "usage",
    message: `${join(path, "inner")}: cannot be read: part of its path is not a folder`,
  });
});
