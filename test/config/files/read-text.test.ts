import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readText } from "../../../src/config/files/read-text.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MAX = 1000;

test("reads a text, byte order mark and line ends included", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "\ufeffä\r\n");
  expect(await readText(path, MAX)).toBe("\ufeffä\r\n");
});

test("gives nothing for a file that is not there, nor its folder", async () => {
  expect(await readText(join(temporaryFolder(), "file"), MAX)).toBeUndefined();
  expect(await readText(join(temporaryFolder(), "folder", "file"), MAX)).toBeUndefined();
});

test.each<[string, (path: string) => void, string]>([
  ["a folder", (path) => mkdirSync(path), "is not a regular file"],
  ["a pipe without a writer", (path) => execFileSync("mkfifo", [path]), "is not a regular file"],
  ["a link to nothing", (path) => symlinkSync(`${path}-gone`, path), "is a link to a file that does not exist"],
  ["links in a circle", (path) => symlinkSync(path, path), "cannot be read: its links form a loop"],
  ["a file that is too large", (path) => writeFileSync(path, "s".repeat(MAX + 1)), "is larger than 1000 bytes"],
  ["bytes that are no text", (path) => writeFileSync(path, Buffer.from([0x73, 0xff])), "is not UTF-8 text"],
])("refuses %s", async (_, make, rule) => {
  const path = join(temporaryFolder(), "file");
  make(path);
  await expect(readText(path, MAX)).rejects.toMatchObject({ failure: "usage", message: `${path}: ${rule}` });
});

test("refuses a path through a file", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "");
  await expect(readText(join(path, "inner"), MAX)).rejects.toMatchObject({
    failure: "usage",
    message: `${join(path, "inner")}: cannot be read: part of its path is not a folder`,
  });
});
