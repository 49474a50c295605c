import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fleetSources } from "../../../src/commands/fleet/sources.ts";
import { createFiles } from "../../../src/config/files/files.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";

const SECRET = "what a file outside contains";

/** A fleet in a folder, and a file next to the folder. */
function world(allowFile: readonly string[] = []) {
  const root = temporaryFolder();
  const folder = join(root, "fleet");
  mkdirSync(join(folder, "keys"), { recursive: true });
  mkdirSync(join(root, "fleet-2"));
  writeFileSync(join(folder, "keys", "a"), "inside");
  writeFileSync(join(root, "outside"), SECRET);
  writeFileSync(join(root, "fleet-2", "outside"), SECRET);
  symlinkSync(join(root, "outside"), join(folder, "link"));
  symlinkSync(root, join(folder, "up"));
  symlinkSync(join(folder, "keys"), join(folder, "linked-keys"));
  symlinkSync("/proc/self", join(folder, "process"));
  symlinkSync("/dev/null", join(folder, "device"));
  const interrupt = new AbortController().signal;
  const app = {
    files: createFiles({ interrupt, openWaiting: () => undefined }),
    stdin: { isTerminal: false, read: async () => new Uint8Array() },
    env: {},
    secrets: { add: () => {} },
  };
  const sources = fleetSources(app, { allowFile: allowFile.map((path) => join(root, path)) });
  return { root, folder, sources, from: join(folder, "fleet.yaml") };
}

test.each(["keys/a", "linked-keys/a", "./keys/../keys/a"])("%s, below the folder of a fleet, is read", async (path) => {
  const { folder, sources, from } = world();
  expect(await sources.readReferenced(join(folder, path), from)).toBe("inside");
});

test.each([
  "../outside",
  "keys/../../outside",
  "../fleet-2/outside",
  "link",
  "up/outside",
  "/etc/hosts",
  "/proc/self/environ",
  "process/environ",
  "device",
  "/dev/stdin",
  "/sys/kernel",
  "keys",
  ".",
  "gone",
  "../gone",
])("%s is not read, and no message contains its content", async (path) => {
  const { folder, sources, from } = world();
  const target = path.startsWith("/") ? path : join(folder, path);
  const error = await sources.readReferenced(target, from).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(RelayctlError);
  expect(error).toMatchObject({ failure: "usage" });
  expect(String((error as RelayctlError).message)).not.toContain(SECRET);
});

test("a folder that is allowed is read, too, but no devices and processes through it", async () => {
  const { root, folder, sources, from } = world(["fleet-2", "../../.."]);
  expect(await sources.readReferenced(join(root, "fleet-2", "outside"), from)).toBe(SECRET);
  await expect(sources.readReferenced(join(folder, "process/environ"), from)).rejects.toMatchObject({
    failure: "usage",
  });
});

test("what is outside is refused in the same words whether it exists or not", async () => {
  const { root, sources, from } = world();
  const refusals = ["outside", "gone"].map(async (name) => {
    const error = (await sources.readReferenced(join(root, name), from).catch((caught: unknown) => caught)) as Error;
    return error.message.replace(name, "");
  });
  const [one, other] = await Promise.all(refusals);
  expect(one).toBe(other);
});
