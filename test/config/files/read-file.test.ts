import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "../../../src/config/files/read-file.ts";
import { openWaiting } from "../../../src/system.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const world = { interrupt: new AbortController().signal, openWaiting };

test("reads up to the limit", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "x".repeat(100_000));
  expect((await readFile(path, 100_000, world)).length).toBe(100_000);
  await expect(readFile(path, 99_999, world)).rejects.toMatchObject({
    failure: "usage",
    message: `${path}: is larger than 99999 bytes`,
  });
});

test("does not read an endless file", () =>
  expect(readFile("/dev/zero", 1_000, world)).rejects.toThrow("/dev/zero: is larger than 1000 bytes"));

test.each<[string, (path: string) => void, string]>([
  ["a missing file", () => {}, "it does not exist"],
  ["a folder", (path) => mkdirSync(path), "it is a folder"],
])("reports %s", async (_, make, words) => {
  const path = join(temporaryFolder(), "file");
  make(path);
  await expect(readFile(path, 10, world)).rejects.toMatchObject({
    failure: "usage",
    message: `${path}: cannot be read: ${words}`,
  });
});
