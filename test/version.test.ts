import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../src/version.ts";

test("the program and package.json have the same version", () => {
  const text = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
  expect(VERSION).toBe(JSON.parse(text).version);
});

test("the newest version in the changelog is the current version", () => {
  const text = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");
  expect(/^## ([0-9]\S*)/m.exec(text)?.[1]).toBe(VERSION);
});
