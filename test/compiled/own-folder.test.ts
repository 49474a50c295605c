import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownFolder } from "../../src/compiled/own-folder.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

/** A folder, and the user that it belongs to. */
function home(): { folder: string; user: number } {
  const folder = temporaryFolder();
  return { folder, user: statSync(folder).uid };
}

const NAME = "compiled-2.0.0";

test("the folder is made, with those above it, for the user alone", () => {
  const { folder, user } = home();
  const parent = join(folder, ".cache/relayctl");
  expect(ownFolder(parent, NAME, user)).toBe(join(parent, NAME));
  expect(statSync(join(parent, NAME)).mode & 0o777).toBe(0o700);
  expect(ownFolder(parent, NAME, user)).toBe(join(parent, NAME));
});

test("what other versions kept goes when the folder is made, and nothing else", () => {
  const { folder, user } = home();
  mkdirSync(join(folder, "compiled-1.9.0"));
  writeFileSync(join(folder, "compiled-1.9.0/core"), "old");
  mkdirSync(join(folder, "completion"));
  ownFolder(folder, NAME, user);
  expect(existsSync(join(folder, "compiled-1.9.0"))).toBe(false);
  expect(existsSync(join(folder, "completion"))).toBe(true);
});

test("a folder of another user is not taken, and none is made in a home of another user", () => {
  const { folder, user } = home();
  expect(ownFolder(folder, NAME, user + 1)).toBeUndefined();
  expect(existsSync(join(folder, NAME))).toBe(false);
  ownFolder(folder, NAME, user);
  expect(ownFolder(folder, NAME, user + 1)).toBeUndefined();
});

test.each([0o770, 0o707, 0o777])("a folder that others can write to is not taken (%o)", (mode) => {
  const { folder, user } = home();
  mkdirSync(join(folder, NAME));
  chmodSync(join(folder, NAME), mode);
  expect(ownFolder(folder, NAME, user)).toBeUndefined();
});

test("a home that is not there is not made", () => {
  const nowhere = "/relayctl-has-no-such-home";
  expect(ownFolder(join(nowhere, ".cache/relayctl"), NAME, statSync("/").uid)).toBeUndefined();
  expect(existsSync(nowhere)).toBe(false);
});

test("on Windows the folder is taken as it is", () => {
  const { folder } = home();
  expect(ownFolder(folder, NAME, undefined)).toBe(join(folder, NAME));
});
