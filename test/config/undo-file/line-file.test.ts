import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLineFile, createRunFile } from "../../../src/config/undo-file/line-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function newPath(): string {
  return join(temporaryFolder(), "undo");
}

test("writes each line immediately, readable only by the owner", async () => {
  const path = newPath();
  const file = await createLineFile(path);
  await file.append("r1");
  expect(readFileSync(path, "utf8")).toBe("r1\n");
  await Promise.all(["r2", "r3", "r4"].map((line) => file.append(line)));
  await file.close();
  expect(readFileSync(path, "utf8")).toBe("r1\nr2\nr3\nr4\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("uses an empty file and makes it private, but rejects a file with content", async () => {
  const path = newPath();
  writeFileSync(path, "", { mode: 0o644 });
  const file = await createLineFile(path);
  await file.append("r1");
  await file.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(createLineFile(path)).rejects.toMatchObject({
    failure: "usage",
    message: expect.stringContaining(path),
  });
  expect(readFileSync(path, "utf8")).toBe("r1\n");
});

test("removes a file without lines, unless it existed before", async () => {
  const [made, found] = [newPath(), newPath()];
  writeFileSync(found, "");
  for (const path of [made, found]) await (await createLineFile(path)).close();
  expect([existsSync(made), existsSync(found)]).toEqual([false, true]);
});

test("reports an unwritable path immediately as a usage error", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "folder"));
  symlinkSync(join(folder, "no", "where"), join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const name of ["folder", "link", "pipe", "no/such/folder", ""]) {
    const path = name && join(folder, name);
    await expect(createLineFile(path), name).rejects.toMatchObject({ failure: "usage" });
  }
});

test("reports a full disk at each line, and can still be closed", async () => {
  const file = await createLineFile("/dev/full");
  await expect(file.append("r1")).rejects.toMatchObject({ failure: "io", message: expect.stringContaining("full") });
  await expect(file.append("r2")).rejects.toMatchObject({ failure: "io" });
  await file.close();
});

test("ignores an empty file that cannot be removed", async () => {
  const path = newPath();
  const file = await createLineFile(path);
  unlinkSync(path);
  mkdirSync(path);
  await file.close();
  expect(existsSync(path)).toBe(true);
});

test("the file of a run is private, in a private folder that is created for it", async () => {
  const folder = join(temporaryFolder(), "state", "retry");
  const file = await createRunFile(folder, "run-1");
  await file.append("a\nb");
  await file.close();
  expect(file.path).toBe(join(folder, "run-1.ids"));
  expect(readFileSync(file.path, "utf8")).toBe("a\nb\n");
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
