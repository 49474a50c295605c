import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFiles } from "../../../src/config/files/files.ts";
import { unmasked } from "../../../src/contract/secret-fields.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { append, list } = createFiles({ interrupt: new AbortController().signal, openWaiting: () => undefined });

test("adds a text to the end of a file, and creates the file", async () => {
  const path = join(temporaryFolder(), "summary");
  await append(path, unmasked("one\n"), 100);
  await append(path, unmasked("two\n"), 100);
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
});

test("adds nothing if the file would be too large", async () => {
  const path = join(temporaryFolder(), "summary");
  await append(path, unmasked("ééé"), 6);
  await expect(append(path, unmasked("x"), 6)).rejects.toMatchObject({ failure: "io", message: `${path}: is full` });
  expect(readFileSync(path, "utf8")).toBe("ééé");
});

test("rejects a folder and a missing folder, with the path", async () => {
  const folder = temporaryFolder();
  await expect(append(folder, unmasked("x"), 9)).rejects.toMatchObject({
    message: `${folder}: cannot be written: it is a folder`,
  });
  const below = join(folder, "none", "summary");
  await expect(append(below, unmasked("x"), 9)).rejects.toMatchObject({
    message: `${below}: cannot be written: it does not exist`,
  });
  expect(existsSync(below)).toBe(false);
});

test("lists files, links, and pipes, which are refused when they are read, but no folders", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "token.json"), "[]");
  symlinkSync("token.json", join(folder, "link.json"));
  mkdirSync(join(folder, "folder.json"));
  execFileSync("mkfifo", [join(folder, "pipe.json")]);
  expect((await list(folder)).sort()).toEqual(["link.json", "pipe.json", "token.json"]);
  expect(await list(join(folder, "none"))).toEqual([]);
  expect(await list(join(folder, "token.json"))).toEqual([]);
  symlinkSync("loop", join(folder, "loop"));
  await expect(list(join(folder, "loop"))).rejects.toMatchObject({ failure: "usage" });
});
