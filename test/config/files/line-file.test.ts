import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLineFile, createRunLineFile } from "../../../src/config/files/line-file.ts";
import { withLock } from "../../../src/config/files/lock.ts";
import { accessOfOthers } from "../../../src/config/files/privacy.ts";
import { markMasked } from "../../../src/contract/secret-fields.ts";
import { hastySurroundings, realSurroundings } from "../surroundings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("a file of lines", () => {
  function newPath(): string {
    return join(temporaryFolder(), "undo");
  }

  test("writes each line immediately, readable only by the owner", async () => {
    const path = newPath();
    const file = await createLineFile(path);
    await file.append(markMasked("r1"));
    expect(readFileSync(path, "utf8")).toBe("r1\n");
    await Promise.all(["r2", "r3", "r4"].map((line) => file.append(markMasked(line))));
    await file.close();
    expect(readFileSync(path, "utf8")).toBe("r1\nr2\nr3\nr4\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("uses an empty file and makes it private, but rejects a file with content", async () => {
    const path = newPath();
    writeFileSync(path, "", { mode: 0o644 });
    const file = await createLineFile(path);
    await file.append(markMasked("r1"));
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
    await expect(file.append(markMasked("r1"))).rejects.toMatchObject({
      failure: "io",
      message: expect.stringContaining("full"),
    });
    await expect(file.append(markMasked("r2"))).rejects.toMatchObject({ failure: "io" });
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
    await file.append(markMasked("a\nb"));
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
});

describe("a lock", () => {
  test("admits one holder at a time, and leaves no files", async () => {
    const path = join(temporaryFolder(), "file");
    let inside = 0;
    const work = async () => {
      expect(++inside).toBe(1);
      await realSurroundings().clock.sleep(1);
      inside--;
    };
    await Promise.all([1, 2, 3, 4].map(() => withLock(path, realSurroundings(), work)));
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test("is released if the work fails", async () => {
    const path = join(temporaryFolder(), "file");
    await expect(withLock(path, hastySurroundings(), () => Promise.reject(new Error("work")))).rejects.toThrow("work");
    expect(await withLock(path, hastySurroundings(), async () => "next")).toBe("next");
  });

  test("is a usage error after ten seconds if a running process holds it", async () => {
    const path = join(temporaryFolder(), "file");
    const surroundings = hastySurroundings();
    await withLock(path, realSurroundings(), async () => {
      const second = withLock(path, surroundings, async () => "never");
      await expect(second).rejects.toMatchObject({
        failure: "usage",
        message: `${path} was not changed: another relayctl process holds its lock`,
        because: [`when no other relayctl is running, remove ${path}.lock`],
      });
    });
    expect(surroundings.clock.elapsed()).toBeGreaterThanOrEqual(10_000);
    expect(surroundings.clock.elapsed()).toBeLessThan(10_200);
  });

  test("is taken over from a dead process", async () => {
    const path = join(temporaryFolder(), "file");
    mkdirSync(`${path}.lock`);
    utimesSync(`${path}.lock`, new Date(0), new Date(0));
    expect(await withLock(path, hastySurroundings(), async () => "mine")).toBe("mine");
  });

  test.each([
    [5_000, false],
    [5_001, true],
  ])(
    "is taken over from a process after five seconds without a sign of life: after %i ms, %s",
    async (silence, isTaken) => {
      const now = Date.parse("2026-11-22T12:00:00Z");
      vi.useFakeTimers({ toFake: ["Date"], now });
      onTestFinished(() => void vi.useRealTimers());
      const path = join(temporaryFolder(), "file");
      mkdirSync(`${path}.lock`);
      const last = new Date(now - silence);
      utimesSync(`${path}.lock`, last, last);
      const entered = withLock(path, hastySurroundings(), async () => true, { patience: 1 }).catch(() => false);
      expect(await entered).toBe(isTaken);
    },
  );

  test.each([
    [0, 25],
    [1, 100],
  ])("is retried after 25 to 100 ms: with random value %i, %i ms", async (fraction, wait) => {
    const path = join(temporaryFolder(), "file");
    mkdirSync(`${path}.lock`);
    const { clock, ...surroundings } = hastySurroundings();
    const slept: number[] = [];
    const sleep = async (milliseconds: number) => {
      slept.push(milliseconds);
      await clock.sleep(milliseconds);
    };
    const random = { ...surroundings.random, fraction: () => fraction };
    await withLock(path, { ...surroundings, random, clock: { ...clock, sleep } }, async () => "never", {
      patience: 1,
    }).catch(() => {});
    expect(slept).toEqual([wait]);
  });

  test("stops waiting after Ctrl-C", async () => {
    const path = join(temporaryFolder(), "file");
    mkdirSync(`${path}.lock`);
    const waiting = withLock(path, hastySurroundings(AbortSignal.abort()), async () => "never");
    // On a terminal, what follows the first word begins with a capital letter.
    const message = `interrupted; nothing was changed in ${path}`;
    await expect(waiting).rejects.toMatchObject({ failure: "interrupted", message });
  });
});

describe("privacy", () => {
  const me = process.getuid?.() ?? 0;
  const folder = mkdtempSync(join(tmpdir(), "privacy-"));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function file(mode: number): string {
    const path = join(folder, mode.toString(8));
    writeFileSync(path, "");
    chmodSync(path, mode);
    return path;
  }

  describe("other users", () => {
    test.each([
      [0o600, undefined],
      [0o400, undefined],
      [0o611, undefined],
      [0o640, "read"],
      [0o604, "read"],
      [0o620, "change"],
      [0o666, "change"],
    ])("with a file of mode %o may %s it", (mode, may) => expect(accessOfOthers(file(mode), me)).toBe(may));

    test("may see the names in a folder, and may change it only if they may write to it and it is not like /tmp", () => {
      const modes = [0o700, 0o755, 0o777, 0o1777].map((mode) => {
        const path = mkdtempSync(join(folder, "f"));
        chmodSync(path, mode);
        return accessOfOthers(path, me);
      });
      expect(modes).toEqual([undefined, undefined, "change", undefined]);
    });

    test("are checked at the file that a link leads to", () => {
      const link = join(folder, "link");
      symlinkSync(file(0o644), link);
      expect(accessOfOthers(link, me)).toBe("read");
    });

    test("may change a device without a finding: every program needs it as it is", () =>
      expect(accessOfOthers("/dev/null", statSync("/dev/null").uid)).toBeUndefined());

    test("do not matter for a file of another user, a missing file, and on Windows", () => {
      const open = file(0o664);
      expect([
        accessOfOthers(open, me + 1),
        accessOfOthers(join(folder, "none"), me),
        accessOfOthers(open, undefined),
      ]).toEqual([undefined, undefined, undefined]);
    });
  });
});
