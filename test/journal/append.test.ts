import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { unmasked } from "../../src/contract/secret-fields.ts";
import { openBatchWriter, type Result } from "../../src/journal/batch-writer.ts";
import { createJournalFolder } from "../../src/journal/folder.ts";
import { hastySurroundings } from "../config/surroundings.ts";
import { intent, outcome } from "./entries.ts";
import { all, appendEach, MONTH, opened } from "./opened.ts";

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

test("leaves out what would make a line too long, but not the line", async () => {
  const { journal, lines } = opened();
  const before = { name: "x".repeat(2 ** 20) };
  await journal.append(intent("w1", { before, body: { paused: true } }));
  await journal.append(intent("w2", { before, body: { data: "x".repeat(2 ** 20) } }));
  const [first, second] = lines().map((line) => JSON.parse(line));
  expect([first.body, first.before]).toEqual([{ paused: true }, undefined]);
  expect([second.id, second.body, second.before]).toEqual(["w2", undefined, undefined]);
  await expect(journal.append(intent("w3", { command: "x".repeat(2 ** 20) }))).rejects.toMatchObject({ failure: "io" });
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
    entry: unmasked(intent(id)),
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
