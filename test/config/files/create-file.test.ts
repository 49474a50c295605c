import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFile } from "../../../src/config/files/create-file.ts";
import { unmasked } from "../../../src/contract/secret-fields.ts";
import { smallDisk } from "../small-disk.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("creates a private file with exactly the text", async () => {
  const path = join(temporaryFolder(), "new.key");
  await createFile(path, unmasked("the key"));
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["the key", 0o600]);
});

test("leaves alone what exists at the path, also a link that leads nowhere", async () => {
  const folder = temporaryFolder();
  const rule = "cannot be written: something else already exists there";
  const [file, link] = [join(folder, "file"), join(folder, "link")];
  writeFileSync(file, "mine");
  symlinkSync(join(folder, "nowhere"), link);
  for (const path of [file, link, folder])
    await expect(createFile(path, unmasked("x"))).rejects.toMatchObject({
      failure: "usage",
      message: `${path}: ${rule}`,
    });
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("rejects a missing folder, and a device without writing to it", async () => {
  const path = join(temporaryFolder(), "none", "new.key");
  await expect(createFile(path, unmasked("x"))).rejects.toMatchObject({
    failure: "usage",
    message: `${path}: cannot be written: it does not exist`,
  });
  await expect(createFile("/dev/stdout", unmasked("x"))).rejects.toMatchObject({ failure: "usage" });
});

test("leaves nothing on a full disk", async ({ skip }) => {
  const disk = smallDisk();
  if (disk === undefined) return skip("nothing can be mounted here");
  await expect(createFile(join(disk, "new.key"), unmasked("x".repeat(100_000)))).rejects.toMatchObject({
    failure: "io",
    message: `${join(disk, "new.key")}: cannot be written: the disk is full`,
  });
  expect(readdirSync(disk)).toEqual([]);
});
