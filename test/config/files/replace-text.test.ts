import { randomUUID } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceText } from "../../../src/config/files/replace-text.ts";
import { unmasked } from "../../../src/contract/secret-fields.ts";

function fileWith(text: string | undefined, mode = 0o644): string {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "fleet.yaml");
  if (text === undefined) return path;
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function replace(path: string, before: string | undefined, after: string): Promise<void> {
  return replaceText(path, { before, after: unmasked(after), maxBytes: 1000, unique: randomUUID() });
}

test.each([0o644, 0o640, 0o600])("replaces a text, keeps the mode, and leaves nothing else", async (mode) => {
  const path = fileWith("old", mode);
  await replace(path, "old", "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(mode);
  expect(readdirSync(join(path, ".."))).toEqual(["fleet.yaml"]);
});

test("creates a private file", async () => {
  const path = fileWith(undefined);
  await replace(path, undefined, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("follows a link, and keeps it", async () => {
  const path = fileWith("old");
  const link = join(path, "..", "link.yaml");
  symlinkSync("fleet.yaml", link);
  await replace(link, "old", "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test.each([
  ["a changed file", "other", "old"],
  ["a file that appeared", "other", undefined],
  ["a file that is gone", undefined, "old"],
])("refuses %s", async (_, now, before) => {
  const path = fileWith(now);
  await expect(replace(path, before, "new")).rejects.toMatchObject({ failure: "conflict", applied: "no" });
  expect(readdirSync(join(path, ".."))).toEqual(now === undefined ? [] : ["fleet.yaml"]);
  if (now !== undefined) expect(readFileSync(path, "utf8")).toBe(now);
});

test("says which folder does not exist", async () => {
  const path = join(fileWith("old"), "..", "none", "fleet.yaml");
  await expect(replace(path, undefined, "new")).rejects.toMatchObject({
    message: `${path}: cannot be written: it does not exist`,
  });
});
