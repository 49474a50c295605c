import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bash, newFolder, relayctl } from "../../e2e/relayctl.ts";
import { chosen } from "../../helpers/deep.ts";
import { CANARY_TOKEN } from "../../helpers/scan.ts";

const CONFIG = `{"version":1,"current":"work","contexts":{"work":{"server":"https://x.example","token":"${CANARY_TOKEN}"}}}`;
const CHANGE = ["context", "set", "other", "--server", "https://y.example"];

/** A folder of a config, and what stands where its file belongs. */
function placed(put: (file: string) => void) {
  const folder = newFolder();
  const file = join(folder, "config", "config.json");
  mkdirSync(join(folder, "config"), { mode: 0o700 });
  put(file);
  return { folder, file };
}

const PLACED: readonly (readonly [string, (file: string) => void])[] = [
  ["a folder", (file) => mkdirSync(file)],
  ["a pipe", (file) => void execFileSync("mkfifo", [file])],
  ["a broken link", (file) => symlinkSync("nowhere", file)],
  ["a link to itself", (file) => symlinkSync("config.json", file)],
];

test.each(chosen(PLACED, 1, 3))("%s in place of the config exits immediately with 2", async (_, put) => {
  const place = placed(put);
  for (const args of [["context", "list"], CHANGE]) {
    const { exitCode, stderr } = await relayctl(args, place);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("config.json")]);
  }
});

test("a file in place of the config folder exits with 2, unless the server and the token come from the environment", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "config"), "");
  expect(await relayctl(CHANGE, { folder })).toMatchObject({ exitCode: 2 });
  const env = { RELAYCTL_SERVER: "http://127.0.0.1:9", RELAYCTL_TOKEN: CANARY_TOKEN };
  expect(await relayctl(["relayers", "list", "--retries", "0"], { folder, env })).toMatchObject({ exitCode: 10 });
});

test.each(chosen(["000", "077", "777"], 0))(
  "with umask %s the file has mode 0600 and its folder 0700",
  async (umask) => {
    const folder = newFolder();
    expect(await bash(`umask ${umask} && relayctl ${CHANGE.join(" ")}`, { folder })).toMatchObject({ exitCode: 0 });
    const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
    expect([modeOf("config"), modeOf("config/config.json")]).toEqual([0o700, 0o600]);
  },
);

test("without a home folder, the server and the token from the environment work, and saving reports the missing variables", async () => {
  const unset = "unset RELAYCTL_CONFIG_DIR HOME XDG_CONFIG_HOME;";
  const read = await bash(`${unset} relayctl relayers list --retries 0`, {
    env: { RELAYCTL_SERVER: "http://127.0.0.1:9", RELAYCTL_TOKEN: CANARY_TOKEN },
  });
  expect(read).toMatchObject({ exitCode: 10 });
  const saved = await bash(`${unset} relayctl ${CHANGE.join(" ")}`);
  expect(saved).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("HOME") });
});

/** Mounts a 64 KiB file system in the folder `config`; false if this machine doesn't allow mounts. */
function mounted(folder: string, options: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("a full disk keeps the old config, with an I/O failure", async ({ skip, onTestFinished }) => {
  const place = placed(() => {});
  const config = join(place.folder, "config");
  if (!mounted(config, "size=64k,mode=700")) return skip("nothing can be mounted here");
  onTestFinished(() => void execFileSync("umount", [config]));
  writeFileSync(place.file, CONFIG, { mode: 0o600 });
  await bash("head -c 1000000 /dev/zero > config/ballast 2>&-", place);
  const { exitCode, stderr } = await relayctl(CHANGE, place);
  expect([exitCode, stderr]).toEqual([74, expect.stringContaining("config.json")]);
  expect(readFileSync(place.file, "utf8")).toBe(CONFIG);
});

test("with a read-only disk, a read works and a change exits with 2", async ({ skip, onTestFinished }) => {
  const place = placed(() => {});
  const config = join(place.folder, "config");
  if (!mounted(config, "size=64k,mode=700")) return skip("nothing can be mounted here");
  onTestFinished(() => void execFileSync("umount", [config]));
  writeFileSync(place.file, CONFIG, { mode: 0o600 });
  execFileSync("mount", ["-o", "remount,ro", config]);
  expect(await relayctl(["context", "list", "-o", "name"], place)).toMatchObject({ exitCode: 0, stderr: "" });
  const { exitCode, stderr } = await relayctl(CHANGE, place);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("read-only")]);
  expect(readFileSync(place.file, "utf8")).toBe(CONFIG);
});
