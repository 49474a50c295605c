import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setImmediate } from "node:timers/promises";
import { intent, outcome } from "./entries.ts";
import { opened } from "./opened.ts";

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
