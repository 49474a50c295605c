import { chmodSync, existsSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownFolder } from "../../src/compiled/own-folder.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

const NAME = "relayctl-compiled-2.0.0-1000";

/** A folder of temporary files, and the user that it belongs to. */
function temporary(): { parent: string; user: number } {
  const parent = realpathSync(temporaryFolder());
  return { parent, user: statSync(parent).uid };
}

test("the folder is made for the user alone, and found again", () => {
  const { parent, user } = temporary();
  expect(ownFolder(parent, NAME, user)).toBe(join(parent, NAME));
  expect(statSync(join(parent, NAME)).mode & 0o777).toBe(0o700);
  expect(ownFolder(parent, NAME, user)).toBe(join(parent, NAME));
});

test("a folder of another user is not taken", () => {
  const { parent, user } = temporary();
  ownFolder(parent, NAME, user);
  expect(ownFolder(parent, NAME, user + 1)).toBeUndefined();
});

test.each([0o770, 0o707, 0o777, 0o1777, 0o755, 0o701])("a folder that is open to others is not taken (%o)", (mode) => {
  const { parent, user } = temporary();
  mkdirSync(join(parent, NAME));
  chmodSync(join(parent, NAME), mode);
  expect(ownFolder(parent, NAME, user)).toBeUndefined();
});

test("a link is not followed, nor is a file taken", () => {
  const { parent, user } = temporary();
  mkdirSync(join(parent, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(parent, "elsewhere"), join(parent, NAME));
  expect(ownFolder(parent, NAME, user)).toBeUndefined();
  writeFileSync(join(parent, "file"), "");
  expect(ownFolder(parent, "file", user)).toBeUndefined();
});

test.each([
  ["others can move things", 0o777, false],
  ["others can only add things, as in /tmp", 0o1777, true],
])("where %s", (_, mode, isTaken) => {
  const { parent, user } = temporary();
  const above = join(parent, "above");
  mkdirSync(join(above, "between"), { recursive: true });
  chmodSync(above, mode);
  expect(ownFolder(join(above, "between"), NAME, user) !== undefined).toBe(isTaken);
  expect(ownFolder(above, NAME, user) !== undefined).toBe(isTaken);
});

test("nothing is created where others could move it away", () => {
  const { parent, user } = temporary();
  const above = join(parent, "above");
  mkdirSync(above);
  chmodSync(above, 0o777);
  expect(ownFolder(above, NAME, user)).toBeUndefined();
  expect(ownFolder(above, NAME, user + 1)).toBeUndefined();
  expect(existsSync(join(above, NAME))).toBe(false);
});

test("on Windows the folder is taken as it is", () => {
  const { parent } = temporary();
  expect(ownFolder(parent, NAME, undefined)).toBe(join(parent, NAME));
});

test("a folder of temporary files that is relative, or not there, holds nothing", () => {
  const { parent, user } = temporary();
  expect(ownFolder("tmp", NAME, user)).toBeUndefined();
  expect(ownFolder("", NAME, user)).toBeUndefined();
  expect(() => ownFolder(join(parent, "nowhere"), NAME, user)).toThrow("ENOENT");
  expect(existsSync(join(parent, "nowhere"))).toBe(false);
});
