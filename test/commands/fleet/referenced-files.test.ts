import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFiles } from "../../../src/config/files/files.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import { openFleetSources } from "../../../src/fleet/open-sources.ts";
import { temporaryFolder } from "../../config/temporary-folder.ts";

const SECRET = "what a file outside contains";

/** A fleet in a folder, and a file next to the folder. */
function world(allowFile: readonly string[] = []) {
  const root = temporaryFolder("/tmp");
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
  const sources = openFleetSources(app, { allowFile: allowFile.map((path) => join(root, path)) });
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

describe("a folder of networks", () => {
  const NETWORK = '{"networks": [{"type": "evm", "network": "near", "rpc_urls": ["https://near.example.com"]}]}';

  async function described(networks: string, allowFile: readonly string[] = []) {
    const made = world(allowFile);
    const { root, folder, sources } = made;
    for (const name of ["fleet/nets", "next", "away/deep"]) mkdirSync(join(root, name), { recursive: true });
    for (const name of ["fleet/nets", "next", "away", "away/deep"]) writeFileSync(join(root, name, "n.json"), NETWORK);
    writeFileSync(join(root, "outside.json"), NETWORK);
    symlinkSync(join(root, "away"), join(folder, "linked"));
    symlinkSync("/proc", join(folder, "proc"));
    const file = join(folder, "fleet.json");
    writeFileSync(file, JSON.stringify({ networks: networks.replace("ROOT", root) }));
    return { ...made, file, read: () => readFleetFiles([file], sources) };
  }

  test.each(["nets", "./nets", "ROOT/fleet/nets", "next"])("%s is read", async (networks) => {
    const { resources } = await (await described(networks)).read();
    expect(resources.map(({ id }) => id)).toEqual(["evm:near"]);
  });

  test.each(["../../x", "ROOT/away", "/proc", "/dev", "/sys", "proc", "proc/self", "ROOT/next"])(
    "%s is not read",
    async (networks) => {
      const { read } = await described(networks);
      await expect(read()).rejects.toMatchObject({ failure: "usage", details: [{ rule: expect.any(String) }] });
    },
  );

  test("is read elsewhere if that is allowed", async () => {
    const { read } = await described("linked", ["away"]);
    expect((await read()).resources).toHaveLength(1);
    await expect((await described("linked")).read()).rejects.toThrow("--allow-file FOLDER");
  });

  test.each(["../../outside.json", "/proc/self/environ", "../../outside"])(
    "has no file that is a link to %s",
    async (target) => {
      const { folder, read } = await described("nets");
      symlinkSync(target, join(folder, "nets", "other.json"));
      const error = (await read().catch((caught: unknown) => caught)) as RelayctlError;
      expect(error).toMatchObject({ failure: "usage" });
      expect(JSON.stringify(error.details)).not.toContain(SECRET);
    },
  );
});
