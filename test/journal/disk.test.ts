import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { smallDisk } from "../config/small-disk.ts";
import { intent } from "./entries.ts";
import { all, opened } from "./opened.ts";

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
