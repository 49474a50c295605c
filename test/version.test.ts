import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../src/version.ts";

test("the version of the program is that of the package", () => {
  const text = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
  expect(VERSION).toBe(JSON.parse(text).version);
});

test("the changelog begins with this version", () => {
  const text = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");
  expect(/^## (\S+)/m.exec(text)?.[1]).toBe(VERSION);
});
