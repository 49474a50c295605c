import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProjectFile } from "../../src/config/project/project-file.ts";
import { createSecrets } from "../../src/config/token/secrets.ts";
import { hastySurroundings } from "./surroundings.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const TREASURY = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const ACCOUNT = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";

/** A repository in a home folder, with the program in a folder of the repository. */
function place({ user = process.geteuid?.() }: { user?: number | undefined } = {}) {
  const home = temporaryFolder();
  const root = join(home, "fleet");
  const folder = join(root, "east", "one");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, ".git"));
  const state = join(home, "state");
  const open = (at = folder, homeFolder = home) =>
    createProjectFile({
      folder: () => at,
      home: homeFolder,
      state: () => state,
      surroundings: hastySurroundings(),
      user,
      note: async () => {},
      redact: createSecrets().redact,
    });
  const write = (text: string, at = root) => {
    writeFileSync(join(at, ".relayctl.json"), text, { mode: 0o644 });
    chmodSync(join(at, ".relayctl.json"), 0o644);
  };
  return { home, root, folder, state, open, write, path: join(root, ".relayctl.json") };
}

test("is found in the folder, or above it up to the root of the repository", async () => {
  const { root, folder, open, write } = place();
  expect(await open().find()).toBeUndefined();
  write('{"context": "east"}');
  expect(await open().find()).toMatchObject({ path: join(root, ".relayctl.json"), context: "east", trust: "new" });
  write('{"context": "one"}', folder);
  expect(await open().find()).toMatchObject({ context: "one" });
});

test("above the repository is not used, and in the home folder only below no repository", async () => {
  const { home, folder, open, write } = place();
  write('{"context": "home"}', home);
  expect(await open().find()).toBeUndefined();
  const other = join(home, "notes", "deep");
  mkdirSync(other, { recursive: true });
  expect(await open(other).find()).toMatchObject({ context: "home" });
  expect(await open(other, join(home, "notes")).find()).toBeUndefined();
  expect(await open(other, "/nowhere").find()).toBeUndefined();
  expect(await open(home, "/nowhere").find()).toMatchObject({ context: "home" });
  expect(await open(folder, "/nowhere").find()).toBeUndefined();
});

test("contains a context, files, and labels", async () => {
  const { path, open, write } = place();
  write(
    `{"context": "east", "files": ["config.json", "more/b.yaml"], "labels": {"evm": {"treasury": "${TREASURY}"}, "stellar": {"treasury": "${ACCOUNT}"}}}`,
  );
  expect(await open().find()).toMatchObject({
    context: "east",
    files: ["config.json", "more/b.yaml"],
    labels: [
      { name: "treasury", kind: "evm", address: TREASURY, from: path },
      { name: "treasury", kind: "stellar", address: ACCOUNT, from: path },
    ],
  });
});

test("is remembered by its path and its content, in a private file", async () => {
  const { state, open, write, root } = place();
  write('{"context": "east"}');
  await (await open().find())?.remember();
  expect((await open().find())?.trust).toBe("trusted");
  expect(statSync(join(state, "projects.json")).mode & 0o777).toBe(0o600);
  write('{"context": "west"}');
  expect((await open().find())?.trust).toBe("changed");
  const other = join(root, "east");
  write('{"context": "east"}', other);
  expect((await open(other).find())?.trust).toBe("new");
  write('{"context": "east"}');
  expect((await open(root).find())?.trust).toBe("trusted");
  expect(await open(root).forget()).toEqual({ path: join(root, ".relayctl.json"), wasTrusted: true });
  expect((await open(root).find())?.trust).toBe("new");
  expect(await open(root).forget()).toMatchObject({ wasTrusted: false });
});

test("is trusted by nothing that is not a list of digests", async () => {
  const { state, open, write } = place();
  write("{}");
  mkdirSync(state);
  for (const text of ["", "null", "[]", '{"a"', '"x"']) {
    writeFileSync(join(state, "projects.json"), text);
    expect((await open().find())?.trust, text).toBe("new");
  }
  await (await open().find())?.remember();
  expect((await open().find())?.trust).toBe("trusted");
});

test.each([
  [
    '{\n  "server": "https://evil.example"\n}',
    ":2 server: cannot be set here: a project file sets only context, files, and labels",
  ],
  ['{"token": "x"}', ":1 token: cannot be set here"],
  ['{"token_command": ["sh"]}', ":1 token_command: cannot be set here"],
  ['{"headers": {}}', ":1 headers: cannot be set here"],
  ['{"__proto__": {"context": "x"}}', ":1 __proto__: cannot be set here"],
  ['{\n"context": 7}', ":2: context needs the name of a context"],
  ['{"context": "a,b"}', ":1 a,b: a context's name has 1 to 64 letters"],
  ['{"context": "../x"}', ":1 ../x: a context's name has"],
  ['{"context": "a\\u001b[2J"}', ": a context's name has"],
  ['{"files": "a.json"}', ":1: files needs a list of paths"],
  ['{"files": ["ok.json",\n 7]}', ":2: files needs a list of paths"],
  ['{"files": ["/etc/passwd"]}', ":1 /etc/passwd: is not below the folder of the project file"],
  ['{"files": ["a/../../b"]}', ":1 a/../../b: is not below the folder of the project file"],
  ['{"files": ["C:\\\\x"]}', ": is not below the folder of the project file"],
  ['{"files": ["-"]}', ":1 -: begins with a dash"],
  ['{"files": [""]}', ": is empty"],
  ['{"files": ["a\\u202eb"]}', ": contains a character that cannot be seen"],
  ['{"labels": []}', ":1: labels needs an object of labels by kind of network"],
  ['{"labels": {"bitcoin": {}}}', ":1 bitcoin: is not evm, solana, or stellar"],
  ['{"labels": {"evm": []}}', ":1 evm: needs an object of addresses by label"],
  ['{"labels": {"evm": {"a": 1}}}', ":1 a: needs an address"],
  [`{"labels": {"evm":\n{"__proto__": "${TREASURY}"}}}`, ":2 __proto__: a label has 1 to 64 letters"],
  [`{"labels": {"evm": {"a\\u0007": "${TREASURY}"}}}`, ": a label has 1 to 64 letters"],
  [`{"labels": {"evm": {"pay": "${TREASURY}", "PAY": "${TREASURY}"}}}`, ":1 PAY: differs from pay only in case"],
  [`{"labels": {"stellar": {"a": "${TREASURY}"}}}`, "is an address on evm, not on stellar"],
  ['{"labels": {"evm": {"a": "0x12"}}}', ":1 0x12: "],
  ["[]", ":1: is not an object; a project file sets only context, files, and labels"],
  ['{"context": "a", "context": "b"}', ":1: is not JSON: duplicate field name"],
  ["{\n\n", "is not JSON"],
])("is refused as a whole, with the line: %s", async (text, words) => {
  const { path, open, write } = place();
  write(text);
  await expect(open().find()).rejects.toMatchObject({ failure: "usage", message: expect.stringContaining(words) });
  await expect(open().find()).rejects.toThrow(path);
  expect(await open().forget()).toMatchObject({ wasTrusted: false });
});

test("names everything that is wrong with it at once", async () => {
  const { open, write } = place();
  write('{"server": 1,\n"files": ["/x"],\n"context": ""}');
  const error = await open()
    .find()
    .then(undefined, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ details: [{ given: "server" }, { given: "" }, { given: "/x" }] });
});

test.each([0o664, 0o646, 0o666, 0o622])("that others may write is refused: mode %o", async (mode) => {
  const { path, open, write } = place();
  write("{}");
  chmodSync(path, mode);
  await expect(open().find()).rejects.toThrow(`${path}: may be written by other users`);
});

test("of another user is refused", async () => {
  const { path, open, write } = place({ user: (process.geteuid?.() ?? 0) + 1 });
  write("{}");
  const isRoot = statSync(path).uid === 0;
  if (isRoot) expect(await open().find()).toMatchObject({ path });
  else await expect(open().find()).rejects.toThrow("may be written by other users");
});

test("is at most 64 KiB", async () => {
  const { open, write } = place();
  write(`{}${" ".repeat(64 * 2 ** 10 - 2)}`);
  expect(await open().find()).toMatchObject({ files: [] });
  write(`{}${" ".repeat(64 * 2 ** 10 - 1)}`);
  await expect(open().find()).rejects.toThrow("is larger than 65536 bytes");
});

test("may be a link to a file below its folder, and to no other", async () => {
  const { home, root, path, folder, open, write } = place();
  write('{"context": "linked"}', folder);
  symlinkSync(join("east", "one", ".relayctl.json"), path);
  expect(await open(root).find()).toMatchObject({ path, context: "linked" });
  write('{"context": "outside"}', home);
  const inner = join(root, "east");
  symlinkSync(join(home, ".relayctl.json"), join(inner, ".relayctl.json"));
  await expect(open(inner).find()).rejects.toThrow("is a link to a file that is not below its folder");
  const deep = join(inner, "deep");
  mkdirSync(deep);
  symlinkSync("nowhere", join(deep, ".relayctl.json"));
  await expect(open(deep).find()).rejects.toMatchObject({ failure: "usage" });
});

test("is a regular file", async () => {
  const { path, open } = place();
  mkdirSync(path);
  await expect(open().find()).rejects.toMatchObject({ failure: "usage" });
});

test("costs nothing and creates nothing where there is none", async () => {
  const { state, open } = place();
  expect(await open().find()).toBeUndefined();
  expect(await open().forget()).toBeUndefined();
  expect(existsSync(state)).toBe(false);
});

test("does not keep its content in the list of trusted files", async () => {
  const { state, open, write, path } = place();
  write(`{"labels": {"evm": {"treasury": "${TREASURY}"}}}`);
  await (await open().find())?.remember();
  expect(JSON.parse(readFileSync(join(state, "projects.json"), "utf8"))).toEqual({
    [path]: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
