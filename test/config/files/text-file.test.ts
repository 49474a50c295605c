import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { replaceText } from "../../../src/config/files/replace-text.ts";
import { openStaging, ReplacedMeanwhile } from "../../../src/config/files/staging.ts";
import { createTextFile, type TextFile } from "../../../src/config/files/text-file.ts";
import { type Masked, markMasked } from "../../../src/contract/secret-fields.ts";
import { smallDisk } from "../small-disk.ts";
import { hastySurroundings, realSurroundings } from "../surroundings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("a text file", () => {
  function plainly({ load, change, renew }: TextFile) {
    type Text = string | undefined;
    return {
      load,
      change: (edit: (text: Text) => string) => change((text) => markMasked(edit(text))),
      renew: (make: (text: Text) => Promise<string>) => renew(async (text) => markMasked(await make(text))),
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
});

describe("a replaced text", () => {
  function fileWith(text: string | undefined, mode = 0o644): string {
    const folder = mkdtempSync(join(tmpdir(), "relayctl-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "fleet.yaml");
    if (text === undefined) return path;
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  function replace(path: string, before: string | undefined, after: string): Promise<void> {
    return replaceText(path, { before, after: markMasked(after), maxBytes: 1000, unique: randomUUID() });
  }

  test.each([0o644, 0o640, 0o600])("replaces a text, keeps the mode, and leaves nothing else", async (mode) => {
    const path = fileWith("old", mode);
    await replace(path, "old", "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(mode);
    expect(readdirSync(join(path, ".."))).toEqual(["fleet.yaml"]);
  });

  test("creates a private file", async () => {
    const path = fileWith(undefined);
    await replace(path, undefined, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("follows a link, and keeps it", async () => {
    const path = fileWith("old");
    const link = join(path, "..", "link.yaml");
    symlinkSync("fleet.yaml", link);
    await replace(link, "old", "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test.each([
    ["a changed file", "other", "old"],
    ["a file that appeared", "other", undefined],
    ["a file that is gone", undefined, "old"],
  ])("refuses %s", async (_, now, before) => {
    const path = fileWith(now);
    await expect(replace(path, before, "new")).rejects.toMatchObject({ failure: "conflict", applied: "no" });
    expect(readdirSync(join(path, ".."))).toEqual(now === undefined ? [] : ["fleet.yaml"]);
    if (now !== undefined) expect(readFileSync(path, "utf8")).toBe(now);
  });

  test("says which folder does not exist", async () => {
    const path = join(fileWith("old"), "..", "none", "fleet.yaml");
    await expect(replace(path, undefined, "new")).rejects.toMatchObject({
      message: `${path}: cannot be written: it does not exist`,
    });
  });
});

describe("a staged text", () => {
  function target(): string {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "old");
    return path;
  }

  test("replaces the text of a file", async () => {
    const path = target();
    const staging = await openStaging(path, "one");
    await staging.commit(markMasked("new"), writeFileSync);
    await staging.remove();
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(readdirSync(dirname(path))).toEqual(["file"]);
  });

  test("detects a truncated write, as on a full disk", async () => {
    const path = target();
    const staging = await openStaging(path, "one");
    const short = (file: string, text: string) => writeFileSync(file, text.slice(0, -1));
    await expect(staging.commit(markMasked("new"), short)).rejects.toMatchObject({ failure: "io" });
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  /** Pieces that are others when they are read again, as if the disk had not kept them. */
  function pieces(...readings: readonly string[][]): Iterable<Masked<string>> {
    let reading = 0;
    return { [Symbol.iterator]: () => (readings[reading++] ?? []).map(markMasked<string>).values() };
  }

  test("writes the pieces of a text", async () => {
    const path = target();
    const staging = await openStaging(path, "one");
    await staging.commit(pieces(["né", "", "w"], ["né", "", "w"]), writeFileSync);
    expect(readFileSync(path, "utf8")).toBe("néw");
  });

  test.each([
    ["is missing", ["new", "er"]],
    ["is added", ["ne"]],
    ["differs", ["now"]],
  ])("detects that a part of the pieces %s", async (_, again) => {
    const path = target();
    const staging = await openStaging(path, "one");
    await expect(staging.commit(pieces(["new"], again), writeFileSync)).rejects.toMatchObject({ failure: "io" });
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  test("rejects the commit of the first of two simultaneous writers", async () => {
    const path = target();
    const first = await openStaging(path, "one");
    const second = await openStaging(path, "two");
    await expect(first.commit(markMasked("first"), writeFileSync)).rejects.toThrow(ReplacedMeanwhile);
    await second.commit(markMasked("second"), writeFileSync);
    expect(readFileSync(path, "utf8")).toBe("second");
  });

  test("rejects that commit even if its writer recreates the folder, as conf does", async () => {
    const path = target();
    const first = await openStaging(path, "one");
    await openStaging(path, "two");
    const makesFolder = (file: string, text: string) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    await expect(first.commit(markMasked("first"), makesFolder)).rejects.toThrow(ReplacedMeanwhile);
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  test("keeps the staging folders of other files", async () => {
    const path = target();
    const other = join(dirname(path), ".other.relayctl-one");
    mkdirSync(other);
    await openStaging(path, "two");
    expect(readdirSync(dirname(path)).sort()).toEqual([".file.relayctl-two", ".other.relayctl-one", "file"]);
  });
});
