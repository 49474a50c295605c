import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Processes } from "../../src/journal/lease.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { hastySurroundings } from "../config/surroundings.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

function world(path = join(temporaryFolder(), "journal")) {
  const running = new Set<number>();
  const as = (own: number, host = "console", started?: number) => {
    running.add(own);
    const processes: Processes = {
      ...{ own, host: () => host, isRunning: (other) => running.has(other) },
      ...(started !== undefined && { started: () => started }),
    };
    const note = async () => {};
    return openJournal({ path, user: process.getuid?.(), note, surroundings: hastySurroundings(), processes });
  };
  const ownerFile = () => join(path, readdirSync(path).find((name) => name.endsWith(".owner")) ?? "");
  return { path, as, end: (process: number) => running.delete(process), ownerFile };
}

test("is held while its work runs, and leaves nothing", async () => {
  const { as, path } = world();
  expect(await as(1).leased("k", async ({ isHeld }) => isHeld())).toBe(true);
  expect(readdirSync(path)).toEqual([]);
});

test("refuses another process at once", async () => {
  const { as } = world();
  await as(1).leased("k", async () => {
    await expect(as(2).leased("k", async () => 7)).rejects.toMatchObject({ failure: "conflict" });
  });
  expect(await as(2).leased("k", async () => 7)).toBe(7);
});

test("refuses the same process, if that can take it twice", async () => {
  const { as } = world();
  await as(1, "console", 5000).leased("k", async ({ isHeld }) => {
    await expect(as(1, "console", 5000.02).leased("k", async () => 7)).rejects.toMatchObject({ failure: "conflict" });
    expect(isHeld()).toBe(true);
  });
  expect(await as(1, "console", 5000).leased("k", async () => 7)).toBe(7);
});

test("of an earlier process with the same number is taken over at once", async () => {
  const { as } = world();
  await as(1, "console", 5000).leased("k", async ({ isHeld }) => {
    expect(await as(1, "console", 9000).leased("k", async () => 7)).toBe(7);
    expect(isHeld()).toBe(false);
  });
});

test("leaves other keys free", async () => {
  const { as } = world();
  expect(await as(1).leased("k", () => as(2).leased("other", async () => 7))).toBe(7);
});

test("of a process that was killed is taken over at once, and the process that was only thought so notices", async () => {
  const { as, end } = world();
  await as(1).leased("k", async ({ isHeld }) => {
    end(1);
    const inside = await as(2).leased("k", async (lease) => [isHeld(), lease.isHeld()]);
    expect(inside).toEqual([false, true]);
    expect(isHeld()).toBe(false);
  });
});

test("of another machine does not end with a process that has its number here", async () => {
  const { as, path } = world();
  await as(1, "elsewhere").leased("k", async () => {
    const [lock = ""] = readdirSync(path).filter((name) => name.endsWith(".lock"));
    const future = new Date("2999-01-01T00:00:00Z");
    utimesSync(join(path, lock), future, future);
    await expect(as(2).leased("k", async () => 7)).rejects.toMatchObject({ failure: "conflict" });
  });
});

test("survives a file of its owner that cannot be read", async () => {
  const { as, ownerFile } = world();
  await as(1).leased("k", async ({ isHeld }) => {
    writeFileSync(ownerFile(), "{");
    expect(isHeld()).toBe(false);
  });
  expect(await as(2).leased("k", async () => 7)).toBe(7);
});

test("states its owner in a file that only the user can read", async () => {
  const { as, ownerFile } = world();
  await as(41).leased("k", async () => {
    expect(JSON.parse(readFileSync(ownerFile(), "utf8"))).toMatchObject({ pid: 41, host: "console" });
  });
});

test("is an io error if the folder cannot be created", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const { as } = world(join(folder, "file", "journal"));
  await expect(as(1).leased("k", async () => 7)).rejects.toMatchObject({ failure: "io" });
});

test("ends with the error of its work", async () => {
  const { as, path } = world();
  mkdirSync(path, { recursive: true });
  await expect(as(1).leased("k", () => Promise.reject(new Error("work")))).rejects.toThrow("work");
  expect(await as(2).leased("k", async () => 7)).toBe(7);
});
