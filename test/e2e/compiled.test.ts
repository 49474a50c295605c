import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, relayctl } from "./relayctl.ts";

const LIST = ["--demo", "relayers", "list", "-o", "name"];

/** A home in which one command has run already, and what it printed. */
async function lived() {
  const folder = newFolder();
  const first = await relayctl(LIST, { folder });
  return { folder, first };
}

/** Every file that was kept, by its path. */
function keptIn(folder: string): string[] {
  const root = join(folder, ".cache/relayctl");
  const found = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name));
  return found.filter((path) => statSync(path).isFile());
}

function timesOf(paths: readonly string[]): number[] {
  return paths.map((path) => statSync(path).mtimeMs);
}

test("what was compiled in one run is taken by the next, which keeps nothing anew", async () => {
  const { folder, first } = await lived();
  const kept = keptIn(folder);
  const before = timesOf(kept);
  expect(kept.some((path) => statSync(path).size > 50_000)).toBe(true);
  expect(await relayctl(LIST, { folder })).toEqual(first);
  expect(keptIn(folder)).toEqual(kept);
  expect(timesOf(kept)).toEqual(before);
});

const DAMAGE: Record<string, (bytes: Buffer) => Buffer> = {
  "a bit that turned": (bytes) =>
    Buffer.from(bytes).fill((bytes[bytes.length >> 2] ?? 0) ^ 1, bytes.length >> 2, (bytes.length >> 2) + 1),
  "half of it gone": (bytes) => bytes.subarray(0, bytes.length / 2),
  "one byte too many": (bytes) => Buffer.concat([bytes, Buffer.of(0)]),
  "only zeros": (bytes) => Buffer.alloc(bytes.length),
  nothing: () => Buffer.alloc(0),
  "a text": () => Buffer.from("process.exit(7)"),
};

test.each(Object.keys(DAMAGE))("what was kept and is %s now is compiled anew", async (damage) => {
  const { folder, first } = await lived();
  for (const path of keptIn(folder)) writeFileSync(path, DAMAGE[damage]?.(readFileSync(path)) ?? "");
  expect(await relayctl(LIST, { folder })).toEqual(first);
  expect(await relayctl(LIST, { folder })).toEqual(first);
});

test("NODE_DISABLE_COMPILE_CACHE keeps nothing", async () => {
  const folder = newFolder();
  const { exitCode } = await relayctl(LIST, { folder, env: { NODE_DISABLE_COMPILE_CACHE: "1" } });
  expect([exitCode, existsSync(join(folder, ".cache"))]).toEqual([0, false]);
});

test("nothing is taken from a folder that others can write to", async () => {
  const { folder, first } = await lived();
  const kept = keptIn(folder);
  for (const name of readdirSync(join(folder, ".cache/relayctl")))
    chmodSync(join(folder, ".cache/relayctl", name), 0o777);
  for (const path of kept) writeFileSync(path, "not looked at");
  expect(await relayctl(LIST, { folder })).toEqual(first);
  expect(kept.map((path) => readFileSync(path, "utf8"))).toEqual(kept.map(() => "not looked at"));
});
