import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeOlderFiles } from "../../../src/config/files/remove-older.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("removes only files last written before the given time", async () => {
  const folder = temporaryFolder();
  for (const name of ["old", "new"]) writeFileSync(join(folder, name), "");
  mkdirSync(join(folder, "folder"));
  for (const name of ["old", "folder"]) utimesSync(join(folder, name), 1, 1);
  await removeOlderFiles(folder, 2_000);
  expect(readdirSync(folder).sort()).toEqual(["folder", "new"]);
});

test("accepts a missing folder", async () => await removeOlderFiles(join(temporaryFolder(), "none"), 0));
