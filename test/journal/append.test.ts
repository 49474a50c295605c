import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markMasked } from "../../src/contract/secret-fields.ts";
import { openBatchWriter, type Result } from "../../src/journal/batch-writer.ts";
import { createJournalFolder } from "../../src/journal/folder.ts";
import { appliedOf, walkWrites, writesOf } from "../../src/journal/journal.ts";
import { smallDisk } from "../config/small-disk.ts";
import { hastySurroundings } from "../config/surroundings.ts";
import { intent, outcome } from "./entries.ts";
import { all, appendEach, MONTH, opened } from "./opened.ts";

describe("the journal", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

  /** The names in a folder, without what locks it: for a moment, and for older versions always. */
  const namesIn = (path: string) =>
    readdirSync(path)
      .filter((name) => name !== "journal.lock" && name !== "waiting")
      .sort();

  test("writes one line per entry, with the digest of the line before it", async () => {
    const { journal, lines } = opened();
    await appendEach(journal, [intent("w1"), outcome("w1"), intent("w2")]);
    const written = lines().map((line) => JSON.parse(line));
    expect(written).toEqual([
      { v: 1, prev: "0".repeat(64), ...intent("w1") },
      { v: 1, prev: sha256(lines()[0] ?? ""), ...outcome("w1") },
      { v: 1, prev: sha256(lines()[1] ?? ""), ...intent("w2") },
    ]);
  });

  test("creates a private folder and private files, and leaves nothing else", async () => {
    const { journal, path, file } = opened();
    await journal.append(intent("w1"));
    expect(namesIn(path)).toEqual([MONTH, "head.json"]);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const name of [MONTH, "head.json"]) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  });

  test("keeps the number of lines, the size, and the newest digest in the head", async () => {
    const { journal, head, lines, read } = opened();
    await appendEach(journal, [intent("w1"), outcome("w1")]);
    expect(head()).toEqual({
      files: {
        [MONTH]: {
          ...{ lines: 2, bytes: read().length, digest: sha256(lines()[1] ?? ""), indexed: 0 },
          seal: expect.any(String),
        },
      },
      lookup: [],
      sums: [],
    });
  });

  test("writes entries that wait together in one piece, in their order", async () => {
    const { journal, lines } = opened();
    const ids = Array.from({ length: 100 }, (_, index) => `w${index}`);
    await Promise.all(ids.map((id) => journal.append(intent(id), { isSynced: id === "w50" })));
    expect(lines().map((line) => JSON.parse(line).id)).toEqual(ids);
    expect(await journal.verify()).toEqual({ files: 1, lines: 100 });
  });

  test("keeps every digit of a number", async () => {
    const { journal, read } = opened();
    const after = { nonce: 123456789012345678901234567890n, id: "tx-1" };
    await journal.append(outcome("w1", { after }));
    expect(read()).toContain('"nonce":123456789012345678901234567890');
    expect(await all(journal)).toEqual([outcome("w1", { after })]);
  });

  test("puts each entry into the file of its month, also when the clock jumps", async () => {
    const { journal, path, reopen } = opened();
    const at = (id: string, time: string) => intent(id, { time });
    await appendEach(journal, [
      at("w1", "2026-11-30T23:59:59.999Z"),
      at("w2", "2027-01-01T00:00:00.000Z"),
      at("w3", "2026-10-05T00:00:00.000Z"),
      at("w4", "2026-11-30T23:59:59.999Z"),
    ]);
    await Promise.all([
      journal.append(at("w5", "2027-01-02T00:00:00.000Z")),
      journal.append(at("w6", "2026-10-06T00:00:00.000Z")),
    ]);
    expect(namesIn(path)).toEqual(["2026-10.ndjson", MONTH, "2027-01.ndjson", "head.json"]);
    expect((await all(journal)).map(({ id }) => id)).toEqual(["w5", "w2", "w4", "w1", "w6", "w3"]);
    expect(await reopen().verify()).toEqual({ files: 3, lines: 6 });
  });

  test("keeps an outcome after its intent, also when the clock is set back over the start of a month", async () => {
    const { journal, reopen } = opened();
    await journal.append(intent("w1", { time: "2026-12-01T00:00:00.100Z" }));
    await journal.append(outcome("w1", { time: "2026-11-30T23:59:59.900Z" }));
    for (const each of [journal, reopen()]) {
      expect(writesOf(await each.find("w1")).map(appliedOf)).toEqual(["yes"]);
      for await (const write of walkWrites(each)) expect(appliedOf(write)).toBe("yes");
    }
    expect(await reopen().verify()).toEqual({ files: 1, lines: 2 });
  });

  test("leaves out what would make a line too long, but not the line", async () => {
    const { journal, lines } = opened();
    const before = { name: "x".repeat(2 ** 20) };
    await journal.append(intent("w1", { before, body: { paused: true } }));
    await journal.append(intent("w2", { before, body: { data: "x".repeat(2 ** 20) } }));
    const [first, second] = lines().map((line) => JSON.parse(line));
    expect([first.body, first.before]).toEqual([{ paused: true }, undefined]);
    expect([second.id, second.body, second.before]).toEqual(["w2", undefined, undefined]);
    await expect(journal.append(intent("w3", { command: "x".repeat(2 ** 20) }))).rejects.toMatchObject({
      failure: "io",
    });
    expect(await journal.verify()).toEqual({ files: 1, lines: 2 });
  });

  test("reports a lock that a running process holds as an I/O failure, and takes over that of a killed one", async () => {
    const { path, reopen } = opened(undefined, { surroundings: hastySurroundings() });
    mkdirSync(join(path, "journal.lock"), { recursive: true });
    await expect(reopen().append(intent("w1"))).rejects.toMatchObject({
      failure: "io",
      message: `${join(path, "journal")} was not changed: another relayctl process holds its lock`,
    });
    utimesSync(join(path, "journal.lock"), new Date(0), new Date(0));
    await reopen().append(intent("w2"));
    expect(await reopen().verify()).toEqual({ files: 1, lines: 1 });
  });

  test("two processes that hold the lock at once lose no line, and damage none", async () => {
    const { path, reopen } = opened();
    const folder = createJournalFolder(path, { user: process.getuid?.(), note: async () => {} });
    mkdirSync(path);
    const one = (id: string) => ({
      entry: markMasked(intent(id)),
      isSynced: false,
      isFollowed: false,
      resolve() {},
      reject() {},
    });
    const written: Result[] = [];
    // Fewer writes of others than a writer tries again after.
    const ids = Array.from({ length: 10 }, (_, index) => `w${index}`);
    await Promise.all(
      ids.map(async (id) => {
        const writer = await openBatchWriter(folder, id);
        for (const part of ["a", "b"])
          written.push(...(await writer.append([one(`${id}-${part}`), one(`${id}-${part}2`)])));
        await writer.finish();
        writer.close();
      }),
    );
    expect(written.filter(({ problem }) => problem !== undefined)).toEqual([]);
    const inFile = (await all(reopen())).map(({ id }) => id).sort();
    expect(inFile).toEqual(written.map(({ one: { entry } }) => entry.id).sort());
    expect(inFile).toHaveLength(40);
    await reopen().append(intent("last"));
    expect(await reopen().verify()).toEqual({ files: 1, lines: 41 });
  });

  describe("while more entries are expected", () => {
    const followed = { isFollowed: true };

    test("the lock is kept, and the head is updated at the end", async () => {
      const { journal, path, head, reopen } = opened();
      await journal.append(intent("w1"), followed);
      expect(readdirSync(path)).toContain("journal.lock");
      await journal.append(intent("w2"), followed);
      expect(head().files).toEqual({});
      expect(await reopen().verify()).toEqual({ files: 1, lines: 2 });
      await journal.append(outcome("w2"));
      expect(head().files[MONTH].lines).toBe(3);
    });

    test("the lock is released once none comes", async () => {
      const { journal, path, head } = opened(undefined, { surroundings: hastySurroundings() });
      await journal.append(intent("w1"), followed);
      await vi.waitFor(() => expect(readdirSync(path)).not.toContain("journal.lock"));
      expect(head().files[MONTH].lines).toBe(1);
    });

    test("another process that waits gets the lock", async () => {
      const world = opened();
      let isWaiting = true;
      const many = (async () => {
        let count = 0;
        for (; isWaiting; count++) await world.journal.append(intent(`w${count}`), followed);
        return count;
      })();
      await world.reopen().append(intent("other"));
      isWaiting = false;
      const count = await many;
      await world.journal.append(intent("last"));
      expect(await world.reopen().verify()).toEqual({ files: 1, lines: count + 2 });
      expect(namesIn(world.path)).toEqual([MONTH, "head.json"]);
    });
  });

  test.each(["+010020-11-30T08:00:00.000Z", "-000300-01-01T00:00:00.000Z"])(
    "refuses an entry of the year %s, which no file can have, and takes the next one",
    async (time) => {
      const { journal, lines } = opened();
      const refused = await journal.append({ ...intent("w1"), time }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ failure: "io", message: `the clock of this machine is wrong: it shows ${time}` });
      await journal.append(intent("w2"));
      expect(lines()).toHaveLength(1);
    },
  );
});

describe("the recovery of the journal", () => {
  const tornIn = (path: string) => readdirSync(path).filter((name) => name.startsWith("torn-"));

  test("adopts the lines of a process that was killed before it wrote the head", async () => {
    const world = opened();
    await world.journal.append(intent("w1"));
    const before = world.read("head.json").trimEnd();
    await appendEach(world.journal, [outcome("w1"), intent("w2")]);
    world.write([before], "head.json");
    expect((await all(world.reopen())).map(({ id }) => id)).toEqual(["w2", "w1", "w1"]);
    expect(await world.journal.find("w2")).toEqual([intent("w2")]);
    await world.reopen().append(outcome("w2"));
    expect(await world.journal.verify()).toEqual({ files: 1, lines: 4 });
    expect(world.head().files[MONTH].lines).toBe(4);
  });

  test.each([
    ["without a line break", '{"v":1,"prev":"00'],
    ["whose JSON is incomplete", '{"v":1,"prev":"00\n'],
    ["of zeros, as after a power cut", "\0".repeat(5000)],
    ["longer than any line", `{"v":1,${" ".repeat(3 * 2 ** 20)}`],
  ])("moves a torn last line %s to a separate private file", async (_, torn) => {
    const world = opened();
    await world.journal.append(intent("w1"));
    for (const id of ["w2", "w3"]) {
      world.add(torn);
      await world.reopen().append(intent(id));
    }
    expect(world.lines().map((line) => JSON.parse(line).id)).toEqual(["w1", "w2", "w3"]);
    expect(await world.journal.verify()).toEqual({ files: 1, lines: 3 });
    expect(tornIn(world.path)).toEqual([`torn-${MONTH}-1`, `torn-${MONTH}-2`]);
    for (const name of tornIn(world.path)) {
      expect(readFileSync(join(world.path, name), "utf8")).toBe(torn);
      expect(statSync(join(world.path, name)).mode & 0o777).toBe(0o600);
    }
  });

  test("never cuts off a line of a file that was changed, whatever its length is", async () => {
    for (const words of ["--no-paused", "-p", `${"x".repeat(700)}`]) {
      const world = opened();
      await appendEach(world.journal, [intent("w1"), intent("w2"), intent("w3")]);
      world.write(world.lines().map((line, index) => (index === 0 ? line.replace("--paused", words) : line)));
      await world.reopen().append(intent("w4"));
      expect(world.lines().map((line) => JSON.parse(line).id)).toEqual(["w1", "w2", "w3", "w4"]);
      expect(tornIn(world.path)).toEqual([]);
      expect((await world.journal.verify()).fault).toMatchObject({ line: 1, what: "changed" });
    }
  });

  test("removes the staged heads of killed processes", async () => {
    const world = opened();
    await world.journal.append(intent("w1"));
    world.write(["{"], ".head.json.0000");
    await world.reopen().append(intent("w2"));
    expect(readdirSync(world.path)).not.toContain(".head.json.0000");
  });
});

const LARGE = { data: "x".repeat(3_000) };

test("on a full disk only whole lines are kept, and the others are I/O failures", async ({ skip }) => {
  const disk = smallDisk();
  if (!disk) return skip("nothing can be mounted here");
  const world = opened(join(disk, "journal"));
  const ids = Array.from({ length: 40 }, (_, index) => `w${index}`);
  const ended = await Promise.allSettled(ids.map((id) => world.journal.append(intent(id, { body: LARGE }))));
  const kept = ids.filter((_, index) => ended[index]?.status === "fulfilled");
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(25);
  const problem = { failure: "io", message: `${world.path}: cannot be written: the disk is full` };
  expect(ended.filter(({ status }) => status === "rejected")).toEqual(
    ids.slice(kept.length).map(() => ({ status: "rejected", reason: expect.objectContaining(problem) })),
  );
  expect(world.lines().map((line) => JSON.parse(line).id)).toEqual(kept);
  expect(await world.reopen().verify()).toEqual({ files: 1, lines: kept.length });
});

test("appends again when a full disk has room", async ({ skip }) => {
  const disk = smallDisk();
  if (!disk) return skip("nothing can be mounted here");
  const world = opened(join(disk, "journal"));
  await world.journal.append(intent("w1"));
  const ballast = join(disk, "ballast");
  execFileSync("sh", ["-c", `head -c 1000000 /dev/zero > ${ballast} 2>/dev/null || true`]);
  const ended = await Promise.allSettled(
    [2, 3, 4, 5, 6].map((id) => world.journal.append(intent(`w${id}`, { body: LARGE }), { isSynced: true })),
  );
  expect(ended.some(({ status }) => status === "rejected")).toBe(true);
  rmSync(ballast);
  await world.reopen().append(intent("w7"));
  const kept = 2 + ended.filter(({ status }) => status === "fulfilled").length;
  expect(await world.reopen().verify()).toEqual({ files: 1, lines: kept });
  expect((await all(world.journal))[0]).toEqual(intent("w7"));
});

test("a read-only disk can be read, and its lines cannot be added to", async ({ skip }) => {
  const disk = smallDisk();
  if (!disk) return skip("nothing can be mounted here");
  const world = opened(join(disk, "journal"));
  await world.journal.append(intent("w1"));
  execFileSync("mount", ["-o", "remount,ro", disk]);
  expect(await all(world.reopen())).toEqual([intent("w1")]);
  expect(await world.reopen().find("w1")).toEqual([intent("w1")]);
  expect(await world.reopen().verify()).toEqual({ files: 1, lines: 1 });
  await expect(world.reopen().append(intent("w2"))).rejects.toMatchObject({
    failure: "io",
    message: `${world.path}: cannot be written: the file system is read-only`,
  });
});

test("a file in place of the folder is an I/O failure for an entry", async () => {
  const world = opened();
  writeFileSync(world.path, "");
  await expect(world.journal.append(intent("w1"))).rejects.toMatchObject({ failure: "io" });
  await expect(all(world.journal)).rejects.toMatchObject({ failure: "usage" });
});
