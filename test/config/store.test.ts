import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Config } from "../../src/config/config.ts";
import { createConfigStore } from "../../src/config/store.ts";
import { smallDisk } from "./small-disk.ts";
import { realSurroundings } from "./surroundings.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const TOKEN = "canary-4b1f2c9a7d3e";

function store(
  folder: string,
  { notes = [], user = process.getuid?.() }: { notes?: string[]; user?: number | undefined } = {},
) {
  const note = async (text: string) => void notes.push(text);
  return createConfigStore({ folder: () => folder, user, note, surroundings: realSurroundings() });
}

function withContext(name: string, token = TOKEN): (config: Config) => Config {
  const context = { server: "https://relayer.example.org", token };
  return (config) => ({ ...config, contexts: { ...config.contexts, [name]: context } });
}

describe("reading", () => {
  test("returns an empty config for a missing file, and creates nothing", async () => {
    const folder = join(temporaryFolder(), "relayctl");
    expect(await store(folder).read()).toEqual({ version: 1, contexts: {} });
    expect(() => statSync(folder)).toThrow("ENOENT");
  });

  test("returns a config, even one written by hand", async () => {
    const folder = temporaryFolder();
    const config = {
      version: 1,
      current: "prod",
      contexts: { prod: { server: "http://x", token_command: ["pass", "x"] } },
    };
    writeFileSync(join(folder, "config.json"), JSON.stringify(config), { mode: 0o600 });
    expect(await store(folder).read()).toEqual(config);
  });

  test.each([
    ["empty", "", "unexpected end of the text at line 1 column 1"],
    [
      "truncated",
      `{"version":1,\n"contexts":{"a":{"token":"${TOKEN}`,
      "a string without a closing quote at line 2 column",
    ],
    ["not JSON", TOKEN, "expected a value at line 1 column 1"],
    ["marked with a BOM", `\ufeff{"version":1,"contexts":{}}`, "a byte order mark at line 1 column 1"],
    ["with a key twice", `{"version":1,"version":1,"contexts":{}}`, "duplicate field name at line 1 column 14"],
    ["a list", `["${TOKEN}"]`, "is not a relayctl config"],
    ["without a version", `{"contexts":{}}`, "is not a relayctl config: check version"],
    ["with an invalid field", `{"version":1,"contexts":{},"${TOKEN}":1}`, "is not a relayctl config"],
    [
      "with a wrong type",
      `{"version":1,"contexts":{"prod":{"server":"https://x","token":["${TOKEN}"]}}}`,
      "is not a relayctl config: check contexts.prod.token",
    ],
    ["of a newer version", `{"version":99,"contexts":[]}`, "was written by a newer relayctl"],
  ])("reports a file that is %s with its path, without its content, and keeps the file", async (_, text, rule) => {
    const folder = temporaryFolder();
    const path = join(folder, "config.json");
    writeFileSync(path, text, { mode: 0o600 });
    for (const use of [store(folder).read(), store(folder).change(withContext("other"))]) {
      const error = await use.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ failure: "usage", message: expect.stringContaining(`${path}: ${rule}`) });
      expect(JSON.stringify(error) + String(error)).not.toContain(TOKEN);
    }
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });
});

describe("writing", () => {
  test("creates the folder and the file for their owner only", async () => {
    const folder = join(temporaryFolder(), "deep", "relayctl");
    await store(folder).change(withContext("prod"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "config.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["config.json"]);
    expect(await store(folder).read()).toEqual(withContext("prod")({ version: 1, contexts: {} }));
  });

  test("keeps all changes of simultaneous writers", async () => {
    const folder = temporaryFolder();
    const names = Array.from({ length: 8 }, (_, index) => `context-${index}`);
    await Promise.all(
      names.map(async (name) => {
        await store(folder).change(withContext(`${name}-a`));
        await store(folder).change(withContext(`${name}-b`));
      }),
    );
    const { contexts } = await store(folder).read();
    expect(Object.keys(contexts).sort()).toEqual(names.flatMap((name) => [`${name}-a`, `${name}-b`]));
  });

  test("fails on a full disk, keeps the old content, and leaves no other files", async ({ skip }) => {
    const disk = smallDisk();
    if (!disk) return skip("needs the right to mount");
    const folder = join(disk, "relayctl");
    await store(folder).change(withContext("old", "o".repeat(30_000)));
    await expect(store(folder).change(withContext("new", "n".repeat(20_000)))).rejects.toMatchObject({ failure: "io" });
    expect(Object.keys((await store(folder).read()).contexts)).toEqual(["old"]);
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  test("shows the path if a file is in place of the folder", async () => {
    const folder = join(temporaryFolder(), "relayctl");
    writeFileSync(folder, "");
    await expect(store(folder).change(withContext("prod"))).rejects.toMatchObject({
      failure: "usage",
      message: expect.stringContaining(join(folder, "config.json")),
    });
  });
});

describe("a config that others could read", () => {
  test("is made private, with a note", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "config.json");
    writeFileSync(path, `{"version":1,"contexts":{}}`);
    chmodSync(path, 0o644);
    chmodSync(folder, 0o755);
    const notes: string[] = [];
    await store(folder, { notes }).read();
    expect([statSync(folder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(notes).toEqual([
      `${folder} was open to other users; only you can read it now`,
      `${path} was open to other users; only you can read it now`,
    ]);
  });

  test("stays as it is if a link leads to another program's file, or a folder with others' files", async () => {
    const foreign = temporaryFolder();
    for (const [name, text] of Object.entries({
      hosts: "127.0.0.1 localhost",
      "dots.json": `{"version":1,"contexts":{}}`,
    }))
      writeFileSync(join(foreign, name), text, { mode: 0o644 });
    chmodSync(foreign, 0o755);
    const above = temporaryFolder();
    symlinkSync(foreign, join(above, "relayctl"));
    const notes: string[] = [];
    symlinkSync("hosts", join(foreign, "config.json"));
    await expect(store(join(above, "relayctl"), { notes }).read()).rejects.toThrow("unexpected text after the end");
    expect([foreign, join(foreign, "hosts")].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o644]);
    const own = temporaryFolder();
    symlinkSync(join(foreign, "dots.json"), join(own, "config.json"));
    await store(own, { notes }).read();
    expect(statSync(join(foreign, "dots.json")).mode & 0o777).toBe(0o600);
    expect(notes).toEqual([`${join(own, "config.json")} was open to other users; only you can read it now`]);
  });

  test("is made private before a write", async () => {
    const folder = join(temporaryFolder(), "relayctl");
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    await store(folder).change(withContext("prod"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test.each([
    ["with other files", 0o755, ["notes.txt"]],
    ["that everyone shares", 0o1777, []],
  ])("stays open in a folder %s", async (_, mode, names) => {
    const folder = temporaryFolder();
    for (const name of names) writeFileSync(join(folder, name), "");
    chmodSync(folder, mode);
    await store(folder).change(withContext("prod"));
    expect(statSync(folder).mode & 0o7777).toBe(mode);
    expect(statSync(join(folder, "config.json")).mode & 0o777).toBe(0o600);
  });

  test("is left unchanged on systems without file modes", async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const notes: string[] = [];
    const note = async (text: string) => void notes.push(text);
    await createConfigStore({ folder: () => folder, user: undefined, note, surroundings: realSurroundings() }).read();
    expect(notes).toEqual([]);
  });

  test("is rejected if it belongs to another user", async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip("needs a folder of another user");
    const folder = temporaryFolder();
    chownSync(folder, 1234, 1234);
    await expect(store(folder).read()).rejects.toMatchObject({
      failure: "usage",
      message: `${folder}: belongs to another user; set RELAYCTL_CONFIG_DIR to use another folder`,
    });
  });
});
