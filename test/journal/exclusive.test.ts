import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Processes } from "../../src/journal/lease.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { hastySurroundings, realSurroundings } from "../config/surroundings.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { intent } from "./entries.ts";
import { opened } from "./opened.ts";

test("work for one key runs one after the other, and leaves no lock", async () => {
  const { journal, path, reopen } = opened();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
    return name;
  };
  const names = await Promise.all([journal.exclusively("k", work("a")), reopen().exclusively("k", work("b"))]);
  expect(names).toEqual(["a", "b"]);
  const [first = "", , third = ""] = seen;
  expect(seen).toEqual([first, first.replace("begins", "ends"), third, third.replace("begins", "ends")]);
  expect(readdirSync(path)).toEqual([]);
});

test("work for different keys runs at the same time", async () => {
  const { journal } = opened();
  const inner = () => journal.exclusively("other", async () => "done");
  expect(await journal.exclusively("key", inner)).toBe("done");
});

test("an error of the work is passed on, and frees the key", async () => {
  const { journal } = opened();
  await expect(journal.exclusively("k", () => Promise.reject(new Error("work")))).rejects.toThrow("work");
  expect(await journal.exclusively("k", async () => 7)).toBe(7);
});

test("the lock of a key keeps the folder private", async () => {
  const { journal, path } = opened();
  await journal.exclusively("k", async () => expect(statSync(path).mode & 0o777).toBe(0o700));
});

test("a folder that cannot be created is an io error", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const { journal } = opened(join(folder, "file", "journal"));
  await expect(journal.exclusively("k", async () => 7)).rejects.toMatchObject({ failure: "io" });
});

test("a key that another process keeps for long ends with a conflict", async () => {
  const real = realSurroundings();
  let elapsed = 0;
  const clock = {
    elapsed: () => elapsed,
    async sleep(milliseconds: number) {
      elapsed += milliseconds;
    },
  };
  const { journal, path } = opened(undefined, { surroundings: { ...real, clock } });
  const other = opened(path).journal;
  await other.exclusively("k", async () => {
    await expect(journal.exclusively("k", async () => 7)).rejects.toMatchObject({ failure: "conflict" });
  });
});

describe("a lease", () => {
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
});

describe("a fingerprint", () => {
  test("is the same for the same secret in one journal, and different in another", async () => {
    const world = opened();
    const mark = await world.journal.fingerprint("key-1");
    expect(mark).toMatch(/^hmac:[0-9a-f]{16}$/);
    expect(await world.reopen().fingerprint("key-1")).toBe(mark);
    expect(await world.journal.fingerprint("key-2")).not.toBe(mark);
    expect(await opened().journal.fingerprint("key-1")).not.toBe(mark);
  });

  test("several processes create one salt, readable by its owner only", async () => {
    const world = opened();
    const marks = await Promise.all([1, 2, 3, 4].map(() => world.reopen().fingerprint("key-1")));
    expect(new Set(marks).size).toBe(1);
    expect(world.read("salt")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(world.file("salt")).mode & 0o777).toBe(0o600);
  });

  test("rejects a damaged salt, which does not keep entries from being written", async () => {
    const world = opened();
    await world.journal.append(intent("w1"));
    world.write(["damaged"], "salt");
    const error = { failure: "usage", message: `${world.file("salt")}: is damaged; restore it, or remove it` };
    await expect(world.journal.fingerprint("key-1")).rejects.toMatchObject(error);
    await world.journal.append(intent("w2"));
    expect(world.lines()).toHaveLength(2);
  });
});
