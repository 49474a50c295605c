import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createTextFile, type TextFile } from "../../../src/config/files/text-file.ts";
import { unmasked } from "../../../src/contract/secret-fields.ts";
import { smallDisk } from "../small-disk.ts";
import { hastySurroundings, realSurroundings } from "../surroundings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function plainly({ load, change, renew }: TextFile) {
  type Text = string | undefined;
  return {
    load,
    change: (edit: (text: Text) => string) => change((text) => unmasked(edit(text))),
    renew: (make: (text: Text) => Promise<string>) => renew(async (text) => unmasked(await make(text))),
  };
}

function textFile(path: string) {
  return plainly(createTextFile(path, { surroundings: hastySurroundings(), maxBytes: 100_000 }));
}

test("creates the file and its folder for their owner only", async () => {
  const path = join(temporaryFolder(), "one", "two", "file");
  await textFile(path).change((text) => {
    expect(text).toBeUndefined();
    return "new";
  });
  expect(await textFile(path).load()).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(readdirSync(dirname(path))).toEqual(["file"]);
});

test("a folder that cannot be created is a usage failure", async ({ skip }) => {
  if (!existsSync("/proc/self")) return skip("there is no /proc here");
  const problem = { failure: "usage", message: "/proc/none/file: cannot be written: it does not exist" };
  await expect(textFile("/proc/none/file").change(() => "new")).rejects.toMatchObject(problem);
});

test("edits the existing text", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "old");
  await textFile(path).change((text) => `${text} and new`);
  expect(readFileSync(path, "utf8")).toBe("old and new");
});

test("does not write the same text again", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "old");
  utimesSync(path, 1, 1);
  await textFile(path).change((text) => text ?? "");
  expect(statSync(path).mtimeMs).toBe(1_000);
});

test("keeps the old text if the edit fails", async () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "old");
  const failing = textFile(path).change(() => {
    throw new Error("no such thing");
  });
  await expect(failing).rejects.toThrow("no such thing");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(dirname(path))).toEqual(["file"]);
});

test("writes through a link, and keeps the link", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "elsewhere", "real"), "old");
  symlinkSync(join("elsewhere", "real"), join(folder, "file"));
  await textFile(join(folder, "file")).change(() => "new");
  expect(lstatSync(join(folder, "file")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "elsewhere", "real"), "utf8")).toBe("new");
  expect(readdirSync(join(folder, "elsewhere"))).toEqual(["real"]);
});

test("does not write through a dangling link", async () => {
  const folder = temporaryFolder();
  symlinkSync("gone", join(folder, "file"));
  await expect(textFile(join(folder, "file")).change(() => "new")).rejects.toThrow(
    "is a link to a file that does not exist",
  );
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("removes the leftovers of a killed process", async () => {
  const path = join(temporaryFolder(), "file");
  const left = join(dirname(path), ".file.relayctl-dead");
  mkdirSync(left);
  writeFileSync(join(left, "file"), "half a secr");
  await textFile(path).change(() => "new");
  expect(readdirSync(dirname(path))).toEqual(["file"]);
});

test("starts over if another process intervenes, and keeps both changes", async () => {
  const path = join(temporaryFolder(), "file");
  let edits = 0;
  await textFile(path).change((text) => {
    if (edits++ === 0) anotherProcessWrites(path, "theirs");
    return `${text ?? ""} ours`;
  });
  expect(readFileSync(path, "utf8")).toBe("theirs ours");
});

function anotherProcessWrites(path: string, text: string): void {
  for (const name of readdirSync(dirname(path)).filter((name) => name.startsWith(".file.relayctl-")))
    rmSync(join(dirname(path), name), { recursive: true });
  writeFileSync(path, text);
}

test("loses no change of several writers", async () => {
  const path = join(temporaryFolder(), "file");
  const writers = Array.from({ length: 6 }, (_, index) => String.fromCharCode(97 + index));
  const file = () => plainly(createTextFile(path, { surroundings: realSurroundings(), maxBytes: 1_000 }));
  await Promise.all(
    writers.map(async (letter) => {
      for (let count = 0; count < 5; count++) await file().change((text) => (text ?? "") + letter);
    }),
  );
  expect([...readFileSync(path, "utf8")].sort().join("")).toBe(writers.map((letter) => letter.repeat(5)).join(""));
});

test("shows the path if a file is in place of the folder", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  await expect(textFile(join(folder, "file", "inner")).change(() => "new")).rejects.toMatchObject({
    failure: "usage",
    message: `${join(folder, "file", "inner")}: cannot be written: something else already exists there`,
  });
});

test("rejects a folder in place of the file, and keeps the folder", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "file"));
  await expect(textFile(join(folder, "file")).change(() => "new")).rejects.toThrow("is not a regular file");
  expect(statSync(join(folder, "file")).isDirectory()).toBe(true);
});

test("keeps the old text on a full disk, and leaves no other files", async ({ skip }) => {
  const disk = smallDisk();
  if (!disk) return skip("needs the right to mount");
  const path = join(disk, "file");
  await textFile(path).change(() => "old".repeat(10_000));
  await expect(textFile(path).change(() => "new".repeat(20_000))).rejects.toMatchObject({
    failure: "io",
    message: `${path}: cannot be written: the disk is full`,
  });
  expect(readFileSync(path, "utf8")).toBe("old".repeat(10_000));
  expect(readdirSync(disk)).toEqual(["file"]);
});

test("is renewed under the lock, and invisible to others until complete", async () => {
  const path = join(temporaryFolder(), "folder", "file");
  await textFile(path).renew(async () => "first");
  await textFile(path).renew(async () => "second");
  expect(readFileSync(path, "utf8")).toBe("second");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test("is left to another process that is renewing it, without waiting", async () => {
  const path = join(temporaryFolder(), "file");
  let asked = 0;
  await textFile(path).renew(async () => {
    const second = textFile(path).renew(async () => String(asked++));
    await expect(second).rejects.toThrow("another relayctl process holds its lock");
    return "first";
  });
  expect([asked, readFileSync(path, "utf8")]).toEqual([0, "first"]);
});

test("keeps its text if the renewal fails", async () => {
  const path = join(temporaryFolder(), "file");
  await textFile(path).renew(async () => "old");
  await expect(textFile(path).renew(() => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("leaves a missing folder of the user alone", async () => {
  const path = join(temporaryFolder(), "typo", "file");
  const options = { surroundings: hastySurroundings(), maxBytes: 100, inUsersFolder: true } as const;
  const file = plainly(createTextFile(path, options));
  await expect(file.change(() => "new")).rejects.toMatchObject({ failure: "usage" });
  expect(existsSync(dirname(path))).toBe(false);
});
