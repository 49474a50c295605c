import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFile } from "../../src/config/read-file.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("reads up to the limit, and not beyond", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "x".repeat(100_000));
  expect((await readFile(path, 100_000)).length).toBe(100_000);
  await expect(readFile(path, 99_999)).rejects.toMatchObject({
    failure: "usage",
    message: `${path}: is larger than 99999 bytes`,
  });
});

test("reads a pipe to its end", async () => {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  const writer = spawn("sh", ["-c", `printf token > '${path}'`]);
  const closed = new Promise((resolve) => writer.on("close", resolve));
  expect(Buffer.from(await readFile(path, 10)).toString()).toBe("token");
  await closed;
});

test("does not read without end", async () => {
  await expect(readFile("/dev/zero", 1_000)).rejects.toThrow("/dev/zero: is larger than 1000 bytes");
});

test.each<[string, (path: string) => void, string]>([
  ["a file that is not there", () => {}, "it is not there"],
  ["a folder", (path) => mkdirSync(path), "it is a folder"],
])("names %s", async (_, make, words) => {
  const path = join(temporaryFolder(), "file");
  make(path);
  await expect(readFile(path, 10)).rejects.toMatchObject({
    failure: "usage",
    message: `${path}: cannot be read: ${words}`,
  });
});
