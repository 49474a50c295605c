import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createFile } from "../../../src/config/files/create-file.ts";
import { createFiles } from "../../../src/config/files/files.ts";
import { readFile } from "../../../src/config/files/read-file.ts";
import { fileMark, readTextNow } from "../../../src/config/files/read-now.ts";
import { readText } from "../../../src/config/files/read-text.ts";
import { removeOlderFiles } from "../../../src/config/files/remove-older.ts";
import { markMasked } from "../../../src/contract/secret-fields.ts";
import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import { openFleetSources } from "../../../src/fleet/open-sources.ts";
import { openWaiting } from "../../../src/system.ts";
import { smallDisk } from "../small-disk.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { append, list } = createFiles({ interrupt: new AbortController().signal, openWaiting: () => undefined });

test("adds a text to the end of a file, and creates the file", async () => {
  const path = join(temporaryFolder(), "summary");
  await append(path, markMasked("one\n"), 100);
  await append(path, markMasked("two\n"), 100);
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
});

test("adds nothing if the file would be too large", async () => {
  const path = join(temporaryFolder(), "summary");
  await append(path, markMasked("ééé"), 6);
  await expect(append(path, markMasked("x"), 6)).rejects.toMatchObject({ failure: "io", message: `${path}: is full` });
  expect(readFileSync(path, "utf8")).toBe("ééé");
});

test("rejects a folder and a missing folder, with the path", async () => {
  const folder = temporaryFolder();
  await expect(append(folder, markMasked("x"), 9)).rejects.toMatchObject({
    message: `${folder}: cannot be written: it is a folder`,
  });
  const below = join(folder, "none", "summary");
  await expect(append(below, markMasked("x"), 9)).rejects.toMatchObject({
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

describe("a new file", () => {
  test("creates a private file with exactly the text", async () => {
    const path = join(temporaryFolder(), "new.key");
    await createFile(path, markMasked("the key"));
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["the key", 0o600]);
  });

  test("leaves alone what exists at the path, also a link that leads nowhere", async () => {
    const folder = temporaryFolder();
    const rule = "cannot be written: something else already exists there";
    const [file, link] = [join(folder, "file"), join(folder, "link")];
    writeFileSync(file, "mine");
    symlinkSync(join(folder, "nowhere"), link);
    for (const path of [file, link, folder])
      await expect(createFile(path, markMasked("x"))).rejects.toMatchObject({
        failure: "usage",
        message: `${path}: ${rule}`,
      });
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test("rejects a missing folder, and a device without writing to it", async () => {
    const path = join(temporaryFolder(), "none", "new.key");
    await expect(createFile(path, markMasked("x"))).rejects.toMatchObject({
      failure: "usage",
      message: `${path}: cannot be written: it does not exist`,
    });
    await expect(createFile("/dev/stdout", markMasked("x"))).rejects.toMatchObject({ failure: "usage" });
  });

  test("leaves nothing on a full disk", async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip("nothing can be mounted here");
    await expect(createFile(join(disk, "new.key"), markMasked("x".repeat(100_000)))).rejects.toMatchObject({
      failure: "io",
      message: `${join(disk, "new.key")}: cannot be written: the disk is full`,
    });
    expect(readdirSync(disk)).toEqual([]);
  });
});

const files = createFiles({ interrupt: new AbortController().signal, openWaiting: () => undefined });

/** A folder with everything that is not a regular file, and two that are, each as `NAME.json`. */
async function strangeFolder(): Promise<string> {
  const folder = temporaryFolder("/tmp");
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  execFileSync("mkfifo", [at("pipe.json")]);
  symlinkSync(at("pipe.json"), at("link-to-pipe.json"));
  symlinkSync("/dev/zero", at("device.json"));
  symlinkSync(folder, at("link-to-folder.json"));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(at("socket.json"), resolve));
  onTestFinished(() => void server.close());
  writeFileSync(at("file.json"), "{}");
  symlinkSync(at("file.json"), at("link-to-file.json"));
  mkdirSync(at("folder.json"));
  return folder;
}

test("a file that was found in a folder is refused, and never waited for, unless it is a regular file", async () => {
  const folder = await strangeFolder();
  const names = await files.list(folder);
  expect(names).not.toContain("folder.json");
  for (const name of ["pipe", "link-to-pipe", "device", "link-to-folder"]) {
    expect(names).toContain(`${name}.json`);
    const read = files.read(join(folder, `${name}.json`), 1_000, true);
    await expect(read, name).rejects.toMatchObject({
      failure: "usage",
      message: expect.stringContaining("regular file"),
    });
  }
  await expect(files.read(join(folder, "socket.json"), 1_000, true)).rejects.toMatchObject({ failure: "usage" });
  for (const name of ["file", "link-to-file"])
    expect(await files.read(join(folder, `${name}.json`), 1_000, true)).toEqual(Buffer.from("{}"));
});

test("a pipe in the folder of networks is a problem of the fleet", async () => {
  const folder = await strangeFolder();
  const fleet = join(folder, "..", "fleet.json");
  writeFileSync(fleet, JSON.stringify({ networks: folder, relayers: [] }));
  const stdin = { isTerminal: false, read: async () => new Uint8Array() };
  const sources = openFleetSources({ files, stdin, env: {}, secrets: { add: () => {} } });
  await expect(readFleetFiles([fleet], sources)).rejects.toMatchObject({
    failure: "usage",
    details: expect.arrayContaining([
      expect.objectContaining({ where: join(folder, "pipe.json"), rule: "is not a regular file" }),
    ]),
  });
});

describe("a file that is read", () => {
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
});

describe("a file that is read at once", () => {
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
});

describe("a text that is read", () => {
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
});

describe("the removal of older files", () => {
  test("removes only files last written before the given time", async () => {
    const folder = temporaryFolder();
    for (const name of ["old", "new"]) writeFileSync(join(folder, name), "");
    mkdirSync(join(folder, "folder"));
    for (const name of ["old", "folder"]) utimesSync(join(folder, name), 1, 1);
    await removeOlderFiles(folder, 2_000);
    expect(readdirSync(folder).sort()).toEqual(["folder", "new"]);
  });

  test("accepts a missing folder", async () => await removeOlderFiles(join(temporaryFolder(), "none"), 0));
});
