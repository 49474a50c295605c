import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createLineFile, createRunLineFile } from "../../../src/config/files/line-file.ts";
import { unmasked } from "../../../src/contract/secret-fields.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function newPath(): string {
  return join(temporaryFolder(), "undo");
}

test("writes each line immediately, readable only by the owner", async () => {
  const path = newPath();
  const file = await createLineFile(path);
  await file.append(unmasked("r1"));
  expect(readFileSync(path, "utf8")).toBe("r1\n");
  await Promise.all(["r2", "r3", "r4"].map((line) => file.append(unmasked(line))));
  await file.close();
  expect(readFileSync(path, "utf8")).toBe("r1\nr2\nr3\nr4\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("uses an empty file and makes it private, but rejects a file with content", async () => {
  const path = newPath();
  writeFileSync(path, "", { mode: 0o644 });
  const file = await createLineFile(path);
  await file.append(unmasked("r1"));
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
  await expect(file.append(unmasked("r1"))).rejects.toMatchObject({
    failure: "io",
    message: expect.stringContaining("full"),
  });
  await expect(file.append(unmasked("r2"))).rejects.toMatchObject({ failure: "io" });
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
  const file = await createRunLineFile(folder, "run-1", 0);
  await file.append(unmasked("a\nb"));
  await file.close();
  expect(file.path).toBe(join(folder, "run-1.ids"));
  expect(readFileSync(file.path, "utf8")).toBe("a\nb\n");
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("the file of a run removes those of old runs, but none of the last 24 hours, and no other file", async () => {
  const folder = temporaryFolder();
  const [day, now] = [86_400, 1_000 * 86_400];
  const written = (name: string, age: number) => {
    writeFileSync(join(folder, name), "a\n");
    utimesSync(join(folder, name), now - age, now - age);
  };
  for (let index = 0; index < 120; index++) written(`new-${index}.ids`, day - 60);
  written("month.ids", 30 * day + 1);
  written("later.ids", -day);
  written("week.ids", 7 * day);
  written("other", 90 * day);
  mkdirSync(join(folder, "folder.ids"));
  const open = () => createRunLineFile(folder, "run-1", now * 1_000);
  await (await open()).close();
  const left = () => readdirSync(folder).filter((name) => !name.startsWith("new-"));
  expect(left().sort()).toEqual(["folder.ids", "later.ids", "other"]);
  expect(readdirSync(folder)).toHaveLength(123);
});

test("the file of a run keeps the 100 newest files of a month", async () => {
  const folder = temporaryFolder();
  const now = 1_000 * 86_400;
  for (let age = 0; age < 110; age++) {
    const path = join(folder, `${String(age).padStart(3, "0")}.ids`);
    writeFileSync(path, "a\n");
    utimesSync(path, now - 2 * 86_400 - age, now - 2 * 86_400 - age);
  }
  await (await createRunLineFile(folder, "run-1", now * 1_000)).close();
  expect(readdirSync(folder)).toHaveLength(100);
  expect(readdirSync(folder)).toContain("099.ids");
});
