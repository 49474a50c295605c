import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openStaging, ReplacedMeanwhile } from "../../../src/config/files/staging.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function target(): string {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, "old");
  return path;
}

test("puts a text in the place of a file", async () => {
  const path = target();
  const staging = await openStaging(path, "one");
  await staging.commit("new", writeFileSync);
  await staging.remove();
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readdirSync(dirname(path))).toEqual(["file"]);
});

test("notices a writer that cuts the text short without a word, as on a full disk", async () => {
  const path = target();
  const staging = await openStaging(path, "one");
  const short = (file: string, text: string) => writeFileSync(file, text.slice(0, -1));
  await expect(staging.commit("new", short)).rejects.toMatchObject({ failure: "io" });
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("of two writers at once, the one that came first cannot commit any more", async () => {
  const path = target();
  const first = await openStaging(path, "one");
  const second = await openStaging(path, "two");
  await expect(first.commit("first", writeFileSync)).rejects.toThrow(ReplacedMeanwhile);
  await second.commit("second", writeFileSync);
  expect(readFileSync(path, "utf8")).toBe("second");
});

test("even when its writer makes the folder anew, as conf does", async () => {
  const path = target();
  const first = await openStaging(path, "one");
  await openStaging(path, "two");
  const makesFolder = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  await expect(first.commit("first", makesFolder)).rejects.toThrow(ReplacedMeanwhile);
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("keeps what belongs to other files", async () => {
  const path = target();
  const other = join(dirname(path), ".other.relayctl-one");
  mkdirSync(other);
  await openStaging(path, "two");
  expect(readdirSync(dirname(path)).sort()).toEqual([".file.relayctl-two", ".other.relayctl-one", "file"]);
});
