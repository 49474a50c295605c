import { chmodSync, existsSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownCompiledFolder } from "../../src/compiled/keeper.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

const NAME = "relayctl-compiled-2.0.0-1000";

/** A folder of temporary files, and the user that it belongs to. */
function temporary(): { parent: string; user: number } {
  const parent = realpathSync(temporaryFolder());
  return { parent, user: statSync(parent).uid };
}

test("creates the folder for the user only, and reuses it", () => {
  const { parent, user } = temporary();
  expect(ownCompiledFolder(parent, NAME, user)).toBe(join(parent, NAME));
  expect(statSync(join(parent, NAME)).mode & 0o777).toBe(0o700);
  expect(ownCompiledFolder(parent, NAME, user)).toBe(join(parent, NAME));
});

test("rejects a folder of another user", () => {
  const { parent, user } = temporary();
  ownCompiledFolder(parent, NAME, user);
  expect(ownCompiledFolder(parent, NAME, user + 1)).toBeUndefined();
});

test.each([0o770, 0o707, 0o777, 0o1777, 0o755, 0o701])("rejects a folder that is open to others (%o)", (mode) => {
  const { parent, user } = temporary();
  mkdirSync(join(parent, NAME));
  chmodSync(join(parent, NAME), mode);
  expect(ownCompiledFolder(parent, NAME, user)).toBeUndefined();
});

test("rejects links and files", () => {
  const { parent, user } = temporary();
  mkdirSync(join(parent, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(parent, "elsewhere"), join(parent, NAME));
  expect(ownCompiledFolder(parent, NAME, user)).toBeUndefined();
  writeFileSync(join(parent, "file"), "");
  expect(ownCompiledFolder(parent, "file", user)).toBeUndefined();
});

test.each([
  ["move files", 0o777, false],
  ["only add files, as in /tmp", 0o1777, true],
])("accepts a folder only if others cannot move it: others can %s", (_, mode, isTaken) => {
  const { parent, user } = temporary();
  const above = join(parent, "above");
  mkdirSync(join(above, "between"), { recursive: true });
  chmodSync(above, mode);
  expect(ownCompiledFolder(join(above, "between"), NAME, user) !== undefined).toBe(isTaken);
  expect(ownCompiledFolder(above, NAME, user) !== undefined).toBe(isTaken);
});

test("creates nothing in a place where others could move it", () => {
  const { parent, user } = temporary();
  const above = join(parent, "above");
  mkdirSync(above);
  chmodSync(above, 0o777);
  expect(ownCompiledFolder(above, NAME, user)).toBeUndefined();
  expect(ownCompiledFolder(above, NAME, user + 1)).toBeUndefined();
  expect(existsSync(join(above, NAME))).toBe(false);
});

test("accepts any folder on Windows", () => {
  const { parent } = temporary();
  expect(ownCompiledFolder(parent, NAME, undefined)).toBe(join(parent, NAME));
});

test("rejects a folder of temporary files that is relative or missing", () => {
  const { parent, user } = temporary();
  expect(ownCompiledFolder("tmp", NAME, user)).toBeUndefined();
  expect(ownCompiledFolder("", NAME, user)).toBeUndefined();
  expect(() => ownCompiledFolder(join(parent, "nowhere"), NAME, user)).toThrow("ENOENT");
  expect(existsSync(join(parent, "nowhere"))).toBe(false);
});
