import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createFiles } from "../../../src/config/files/files.ts";
import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import { openFleetSources } from "../../../src/fleet/open-sources.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const files = createFiles({ interrupt: new AbortController().signal, openWaiting: () => undefined });

/** A folder with everything that is not a regular file, and two that are, each as `NAME.json`. */
async function strangeFolder(): Promise<string> {
  const folder = temporaryFolder("/tmp");
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  execFileSync("mkfifo", [at("pipe.json")]);
  symlinkSync(at("pipe.json"), at("link-to-pipe.json"));
  symlinkSync("/dev/zero", at("device.json"));
  symlinkSync(folder, at("link-to-folder.json"));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(at("socket.json"), resolve));
  onTestFinished(() => void server.close());
  writeFileSync(at("file.json"), "{}");
  symlinkSync(at("file.json"), at("link-to-file.json"));
  mkdirSync(at("folder.json"));
  return folder;
}

test("a file that was found in a folder is refused, and never waited for, unless it is a regular file", async () => {
  const folder = await strangeFolder();
  const names = await files.list(folder);
  expect(names).not.toContain("folder.json");
  for (const name of ["pipe", "link-to-pipe", "device", "link-to-folder"]) {
    expect(names).toContain(`${name}.json`);
    const read = files.read(join(folder, `${name}.json`), 1_000, true);
    await expect(read, name).rejects.toMatchObject({
      failure: "usage",
      message: expect.stringContaining("regular file"),
    });
  }
  await expect(files.read(join(folder, "socket.json"), 1_000, true)).rejects.toMatchObject({ failure: "usage" });
  for (const name of ["file", "link-to-file"])
    expect(await files.read(join(folder, `${name}.json`), 1_000, true)).toEqual(Buffer.from("{}"));
});

test("a pipe in the folder of networks is a problem of the fleet", async () => {
  const folder = await strangeFolder();
  const fleet = join(folder, "..", "fleet.json");
  writeFileSync(fleet, JSON.stringify({ networks: folder, relayers: [] }));
  const stdin = { isTerminal: false, read: async () => new Uint8Array() };
  const sources = openFleetSources({ files, stdin, env: {}, secrets: { add: () => {} } });
  await expect(readFleetFiles([fleet], sources)).rejects.toMatchObject({
    failure: "usage",
    details: expect.arrayContaining([
      expect.objectContaining({ where: join(folder, "pipe.json"), rule: "is not a regular file" }),
    ]),
  });
});
