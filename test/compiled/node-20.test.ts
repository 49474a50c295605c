import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepOnNode20 } from "../../src/compiled/node-20.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

const WITHOUT_A_LOOK = 17;
const WITH_A_LOOK = 32;

/** A program of two functions, in a file that is worth keeping or not. */
function program(length: number) {
  const folder = temporaryFolder();
  const file = join(folder, "program-Ab12Cd34.js");
  const body = Array.from({ length: 300 }, (_, index) => `n += ${index} * n;`).join(" ");
  const text = `exports.one = (n) => { ${body} return n; };\nexports.two = (n) => { ${body} return n; };\n`;
  writeFileSync(file, `${text}// ${"x".repeat(Math.max(0, length - text.length))}\n`);
  return { file, folder: temporaryFolder() };
}

/** Loads the program as a process of that number, calls one of its functions, and ends. */
function run({ file, folder }: ReturnType<typeof program>, pid: number, called: "one" | "two") {
  const { prototype } = Module as unknown as { prototype: { _compile: unknown } };
  const before = prototype._compile;
  const ends: (() => void)[] = [];
  try {
    keepOnNode20(folder, { node: "20.20.2", pid, atExit: (write) => void ends.push(write) });
    const require = createRequire(file);
    delete require.cache[file];
    const result: unknown = require(file)[called](1);
    for (const end of ends) end();
    return { result, wrote: ends.length > 0 };
  } finally {
    prototype._compile = before;
  }
}

function sizesIn(folder: string): number[] {
  return readdirSync(folder).map((name) => statSync(join(folder, name)).size);
}

test("a large file is kept, and a small one is not", () => {
  const large = program(60_000);
  const small = program(0);
  for (const each of [large, small]) expect(run(each, WITHOUT_A_LOOK, "one").result).toBeGreaterThan(0);
  expect(sizesIn(large.folder)).toEqual([expect.any(Number)]);
  expect(sizesIn(small.folder)).toEqual([]);
});

test("what was kept is taken, and grows by what a later run compiled", () => {
  const kept = program(60_000);
  const first = run(kept, WITHOUT_A_LOOK, "one");
  const [before = 0] = sizesIn(kept.folder);
  expect(run(kept, WITHOUT_A_LOOK, "two")).toEqual({ ...first, wrote: false });
  expect(run(kept, WITH_A_LOOK, "two")).toEqual({ ...first, wrote: true });
  const [after = 0] = sizesIn(kept.folder);
  expect(after).toBeGreaterThan(before);
});

test("what the program imports is imported", async () => {
  const { file, folder } = program(60_000);
  writeFileSync(file, `${readFileSync(file, "utf8")}exports.one = () => import("node:path");\n`);
  for (const pid of [WITHOUT_A_LOOK, WITHOUT_A_LOOK]) {
    expect(await run({ file, folder }, pid, "one").result).toHaveProperty("join");
  }
});

test("a run that compiled less leaves what is there", () => {
  const kept = program(60_000);
  run(kept, WITHOUT_A_LOOK, "one");
  const sizes = sizesIn(kept.folder);
  run(kept, WITH_A_LOOK, "one");
  expect(sizesIn(kept.folder)).toEqual(sizes);
});
