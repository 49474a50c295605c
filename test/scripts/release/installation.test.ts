import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { artifactsOf, CHECKSUMS } from "../../../scripts/release/artifacts.js";
import { checksumsOf } from "../../../scripts/release/checksums.js";
import { PLATFORMS } from "../../../scripts/release/platforms.js";
import { VERSION } from "../../../src/version.ts";
import { blocksOf, textOf } from "../../e2e/guide.ts";

const NAMES = artifactsOf(VERSION, PLATFORMS);
/** Programs that would change this machine; stand-ins print what they get. */
const SYSTEM = ["npm", "sudo", "podman"];
const DOCUMENTS = ["README.md", "docs/start/install.md", "docs/guides/ci.md"];

/** A folder with a downloaded release, whose executable prints its version, and a home folder. */
function download() {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-download-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, programs] = [join(folder, "home"), join(folder, "programs")];
  for (const path of [home, programs]) mkdirSync(path);
  for (const name of NAMES) writeFileSync(join(folder, name), `#!/bin/sh\necho "relayctl ${VERSION}"\n`);
  writeFileSync(join(folder, CHECKSUMS), checksumsOf(folder, NAMES));
  for (const name of SYSTEM) {
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*"\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const path = [join(home, ".local/bin"), programs, process.env.PATH].join(":");
  const run = (script: string) =>
    execa("bash", ["-euo", "pipefail", "-c", script], {
      cwd: folder,
      env: { PATH: path, HOME: home, LC_ALL: "C" },
      extendEnv: false,
      reject: false,
      // Bash reads startup files if stdin is a socket.
      stdin: "ignore",
    });
  return { folder, home, run };
}

const scripts = blocksOf("docs/start/install.md", "sh").map(({ text }) => text);
const [, inReadme = ""] = /^- Executable, .*?: `([^`]+)`$/m.exec(textOf("README.md")) ?? [];

test.each([...scripts, inReadme])(
  "the commands of the documents run in a folder with a release: %s",
  async (script) => {
    const { run, home } = download();
    const installed = join(home, ".local/bin/relayctl");
    const isInstalled = /^install /m.test(script) || script.includes("&& install ");
    const { exitCode, stdout, stderr } = await run(script.replaceAll(/^relayctl version$/gm, "true"));
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(existsSync(installed)).toBe(isInstalled);
    if (isInstalled) expect((await run("relayctl version")).stdout).toBe(`relayctl ${VERSION}`);
    for (const line of stdout.split("\n")) {
      const [, file = NAMES[0]] = /^(?:npm|sudo|podman pull) .*?(relayctl[-_][\w.-]+)$/.exec(line) ?? [];
      expect(NAMES).toContain(file);
    }
  },
);

test.each([...scripts, inReadme])("a file that was changed is not installed: %s", async (script) => {
  const { run, folder, home } = download();
  for (const name of NAMES) writeFileSync(join(folder, name), "changed");
  const { exitCode, stdout } = await run(script);
  expect(exitCode).toBe(1);
  expect(stdout).not.toMatch(/^(?:npm|sudo|podman) /m);
  expect(existsSync(join(home, ".local/bin/relayctl"))).toBe(false);
});

describe.each(DOCUMENTS)("%s", (path) => {
  test("has only files that a release of this version has", () => {
    const named = [...textOf(path).matchAll(/\brelayctl[-_](?:\d|linux|macos|windows)[\w.-]*\w/g)].map(
      ([name]) => name,
    );
    expect(named.filter((name) => !NAMES.includes(name))).toEqual([]);
    const versions = [...textOf(path).matchAll(/(?:relayctl@v|localhost\/relayctl:|relayctl-)(\d[\d.]*\d)/g)].map(
      ([, found]) => found,
    );
    expect(new Set(versions)).toEqual(new Set([VERSION]));
  });
});

test("docs/start/install.md describes every file of a release and every input of the action", () => {
  const text = textOf("docs/start/install.md");
  for (const name of [...NAMES, CHECKSUMS]) expect(text).toContain(`\`${name}\``);
  const action = readFileSync(join(import.meta.dirname, "../../../action.yml"), "utf8");
  const [, inputs = ""] = /^inputs:\n(.*?)^outputs:/ms.exec(action) ?? [];
  const names = [...inputs.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) expect(text).toContain(`\`${name}\``);
});
