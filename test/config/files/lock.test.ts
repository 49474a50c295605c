import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../../src/config/files/lock.ts";
import { hastySurroundings, realSurroundings } from "../surroundings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

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
