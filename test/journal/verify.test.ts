import { createHash } from "node:crypto";
import fs, { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { removeDemoJournal } from "../../src/journal/open-once.ts";
import { removeFolder } from "../helpers/remove-folder.ts";
import { intent, outcome } from "./entries.ts";
import { all, appendEach, MONTH, type Opened, opened } from "./opened.ts";

async function fiveLines(): Promise<Opened> {
  const world = opened();
  await appendEach(
    world.journal,
    ["w1", "w2", "w3", "w4", "w5"].map((id) => intent(id)),
  );
  return world;
}

const edited =
  (edit: (lines: string[]) => string[]) =>
  ({ write, lines }: Opened) =>
    write(edit(lines()));

const paused = (line: string | undefined) => (line ?? "").replace("--paused", "--no-paused");
const digestOf = (line: string | undefined) =>
  createHash("sha256")
    .update(line ?? "")
    .digest("hex");
const forged = (prev: string) => JSON.stringify({ v: 1, prev, ...intent("forged") });

test.each<[string, (world: Opened) => void, number, string]>([
  ["a first line that was changed", edited(([first, ...rest]) => [paused(first), ...rest]), 1, "changed"],
  ["a line that was changed", edited((lines) => lines.with(2, paused(lines[2]))), 3, "changed"],
  ["a last line that was changed", edited((lines) => lines.with(4, paused(lines[4]))), 5, "changed"],
  ["a line that is not JSON any more", edited((lines) => lines.with(2, "gone")), 3, "changed"],
  ["a longer line than written", edited((lines) => lines.with(1, `${lines[1]}${" ".repeat(2 ** 20)}`)), 2, "changed"],
  ["a first line that was removed", edited((lines) => lines.slice(1)), 1, "removed"],
  ["a line that was removed", edited((lines) => lines.toSpliced(2, 1)), 3, "removed"],
  ["two lines that were removed", edited((lines) => lines.toSpliced(1, 2)), 2, "removed"],
  ["a last line that was removed", edited((lines) => lines.slice(0, -1)), 5, "removed"],
  ["all lines removed", edited(() => []), 1, "removed"],
  ["a removed file", ({ file }) => rmSync(file()), 1, "removed"],
  ["a last line that was cut off", ({ file, read }) => truncateSync(file(), read().length - 10), 5, "removed"],
  ["two lines that were swapped", edited(([a = "", b = "", c = "", ...rest]) => [a, c, b, ...rest]), 2, "changed"],
  ["a line added at the end", ({ add }) => add(`${forged("0".repeat(64))}\n`), 6, "added"],
  ["a first line that was added", edited((lines) => [forged("0".repeat(64)), ...lines]), 1, "added"],
  ["a line added with a wrong digest", edited((lines) => lines.toSpliced(2, 0, forged("1".repeat(64)))), 3, "added"],
  ["a line added with its digest", edited((lines) => lines.toSpliced(2, 0, forged(digestOf(lines[1])))), 3, "added"],
  ["an incomplete line at the end", ({ add }) => add('{"v":1,"prev":"0'), 6, "added"],
])("verification reports %s", async (_, change, line, what) => {
  const world = await fiveLines();
  expect(await world.journal.verify()).toEqual({ files: 1, lines: 5 });
  change(world);
  expect((await world.journal.verify()).fault).toMatchObject({ file: world.file(), line, what });
});

test.each<[string, (world: Opened) => void, number]>([
  ["a changed line", edited((lines) => lines.with(2, paused(lines[2]))), 3],
  ["a line of the same length", edited((lines) => lines.with(2, (lines[2] ?? "").replace("ops", "spo"))), 3],
  ["a removed line", edited((lines) => lines.toSpliced(2, 1)), 3],
  ["removed last lines", edited((lines) => lines.slice(0, 2)), 3],
  ["a cut-off end", ({ file, read }) => truncateSync(file(), read().length - 10), 5],
  ["a removed file", ({ file }) => rmSync(file()), 1],
])("verification still reports %s after further writes, which are all kept", async (_, change, line) => {
  const world = await fiveLines();
  change(world);
  await appendEach(world.reopen(), [intent("w6"), intent("w7")]);
  expect((await world.journal.verify()).fault).toMatchObject({ file: world.file(), line });
  expect((await all(world.journal)).slice(0, 2).map(({ id }) => id)).toEqual(["w7", "w6"]);
  expect(await world.journal.find("w6")).toEqual([intent("w6")]);
});

test("verification reports a missing or damaged head, also after further writes, and everything stays readable", async () => {
  for (const damage of [
    (world: Opened) => rmSync(world.file("head.json")),
    (world: Opened) => world.add("x", "head.json"),
  ]) {
    const world = await fiveLines();
    damage(world);
    const missing = { file: world.file("head.json"), line: 0, what: "removed" };
    expect(await world.journal.verify()).toMatchObject({ lines: 5, fault: missing });
    expect(await world.journal.find("w3")).toEqual([intent("w3")]);
    expect(await all(world.journal)).toHaveLength(5);
    await world.journal.append(intent("w6"));
    expect(await world.journal.verify()).toMatchObject({ lines: 6, fault: missing });
    expect(world.head()).toMatchObject({ files: { [MONTH]: { lines: 6 } }, lost: true });
  }
});

test("verification reports the first fault of several files", async () => {
  const world = opened();
  await appendEach(world.journal, [
    intent("w1", { time: "2026-09-01T00:00:00.000Z" }),
    intent("w2", { time: "2026-10-01T00:00:00.000Z" }),
    intent("w3"),
  ]);
  rmSync(world.file("2026-10.ndjson"));
  rmSync(world.file());
  expect(await world.journal.verify()).toMatchObject({ lines: 1, fault: { file: world.file("2026-10.ndjson") } });
});

test("a line that a killed process wrote is not a fault", async () => {
  const world = await fiveLines();
  const before = world.read("head.json").trimEnd();
  await world.journal.append(intent("w6"));
  world.write([before], "head.json");
  expect(await world.journal.verify()).toEqual({ files: 1, lines: 6 });
});

describe("a reset of the demo", () => {
  const state = mkdtempSync(join(tmpdir(), "relayctl-demo-journal-"));
  const env = { RELAYCTL_CONFIG_DIR: state };
  afterAll(() => removeFolder(state));

  test("a reset of the demo removes its journal, and no other one", () => {
    for (const name of ["demo-journal", "journal"]) {
      mkdirSync(join(state, name));
      writeFileSync(join(state, name, "head.json"), "{}");
    }
    removeDemoJournal(env, "linux");
    expect([existsSync(join(state, "demo-journal")), existsSync(join(state, "journal/head.json"))]).toEqual([
      false,
      true,
    ]);
  });

  test("a reset of a demo without a journal removes nothing", () =>
    expect(() => removeDemoJournal(env, "linux")).not.toThrow());

  test("a journal that cannot be removed is named", () => {
    const blocked = { RELAYCTL_CONFIG_DIR: join(state, "x".repeat(300)) };
    expect(() => removeDemoJournal(blocked, "linux")).toThrow(/demo-journal: cannot be written: [a-z]/);
  });
});

function replaced<Name extends "fdatasync" | "rmSync" | "writeSync">(name: Name) {
  const spy = vi.spyOn(fs, name);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}

const fault = (code: string) => Object.assign(new Error(code), { code });

test("a synced entry waits for the disk, and another one does not", async () => {
  const { journal } = opened();
  const spy = replaced("fdatasync");
  await journal.append(intent("w1"));
  expect(spy).not.toHaveBeenCalled();
  let finish: (error: Error | null) => void = () => {};
  const isCalled = new Promise<void>((resolve) => {
    spy.mockImplementation((_, callback) => {
      finish = callback as typeof finish;
      resolve();
    });
  });
  let isWritten = false;
  const append = journal.append(intent("w2"), { isSynced: true }).then(() => {
    isWritten = true;
  });
  await Promise.race([isCalled, append]);
  await setImmediate();
  expect(isWritten).toBe(false);
  finish(null);
  await append;
  expect(spy).toHaveBeenCalledTimes(1);
});

test("a disk that cannot sync is an I/O failure, and does not keep the line", async () => {
  const { journal, path, lines } = opened();
  replaced("fdatasync").mockImplementation((_, callback) => (callback as (error: Error) => void)(fault("EIO")));
  await expect(journal.append(intent("w1"), { isSynced: true })).rejects.toMatchObject({
    failure: "io",
    message: `${path}: cannot be written: the disk reports an error`,
  });
  await journal.append(intent("w2"));
  expect(lines().map((line) => JSON.parse(line).id)).toEqual(["w2"]);
  expect(await journal.verify()).toEqual({ files: 1, lines: 1 });
});

test("a short write keeps the whole lines of it, and later lines start where they end", async () => {
  const { journal, lines } = opened();
  await journal.append(intent("w1"));
  const spy = replaced("writeSync");
  const length = (lines()[0] ?? "").length + 1;
  spy.mockImplementationOnce(((descriptor: number, bytes: Buffer) =>
    fs.writevSync(descriptor, [bytes.subarray(0, 2 * length + 10)])) as typeof fs.writeSync);
  const ended = await Promise.allSettled(["w2", "w3", "w4"].map((id) => journal.append(intent(id))));
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  await journal.append(intent("w5"));
  expect(lines().map((line) => JSON.parse(line).id)).toEqual(["w1", "w2", "w3", "w5"]);
  expect(await journal.verify()).toEqual({ files: 1, lines: 4 });
});

test("a short entry after one that was cut short does not count as written", async () => {
  const { journal, lines, reopen } = opened();
  const spy = replaced("writeSync");
  await journal.append(intent("w1"));
  spy.mockImplementationOnce(((descriptor: number, bytes: Buffer) =>
    fs.writevSync(descriptor, [bytes.subarray(0, 2_000)])) as typeof fs.writeSync);
  const long = intent("w2", { body: { data: "x".repeat(5_000) } });
  const ended = await Promise.allSettled([long, intent("w3"), outcome("w3")].map((entry) => journal.append(entry)));
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await reopen().append(intent("w4"));
  expect(lines().map((line) => JSON.parse(line).id)).toEqual(["w1", "w4"]);
  expect(await reopen().verify()).toEqual({ files: 1, lines: 2 });
});

test("a lease that cannot be removed fails no work", async () => {
  const { journal } = opened();
  const spy = replaced("rmSync").mockImplementation(() => {
    throw fault("EACCES");
  });
  await expect(journal.leased("key", async () => "done")).resolves.toBe("done");
  expect(spy).toHaveBeenCalled();
});

test("a write that fails keeps no line, and is not acknowledged", async () => {
  const { journal, lines } = opened();
  await journal.append(intent("w1"));
  replaced("writeSync").mockImplementationOnce(() => {
    throw fault("ENOSPC");
  });
  await expect(journal.append(intent("w2"))).rejects.toMatchObject({ failure: "io" });
  await journal.append(intent("w3"));
  expect(lines().map((line) => JSON.parse(line).id)).toEqual(["w1", "w3"]);
});
