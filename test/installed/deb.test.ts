import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { buildDeb } from "../../scripts/release/deb.js";
import { thisPlatform } from "../../scripts/release/platforms.js";
import { startSession } from "../e2e/completion/session.ts";
import { EXECUTABLE } from "../e2e/program.ts";
import { environment, ROOT } from "../e2e/relayctl.ts";
import { ARCHITECTURE, has, released } from "./release.ts";

/** The package is installed into this folder, as into a system that has the oldest glibc it accepts and nothing else. */
const system = mkdtempSync(join(tmpdir(), "relayctl-system-"));
const share = join(system, "usr/share");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
let deb: string;

beforeAll(async () => {
  deb = EXECUTABLE ? await packed(EXECUTABLE) : released(new RegExp(`^relayctl_.*_${ARCHITECTURE}\\.deb$`));
});

/** Packs an executable that is tested without a release. */
function packed(executable: string): Promise<string> {
  const about = { version, licenses: "", epoch: 0, into: system };
  return buildDeb({ ...about, executable, platform: thisPlatform() });
}

const GLIBC = `Package: libc6
Status: install ok installed
Maintainer: nobody <nobody@example.invalid>
Architecture: ${ARCHITECTURE}
Version: 2.17
Description: stands for glibc
`;

/** The environment of a user of that system. */
function surroundings(more: Record<string, string> = {}): Record<string, string> {
  const home = join(system, "home");
  mkdirSync(home, { recursive: true });
  const path = `${join(system, "usr/bin")}:/usr/local/bin:/usr/bin:/bin`;
  return environment(home, { PATH: path, XDG_DATA_DIRS: share, ...more });
}

function run(file: string, args: readonly string[]) {
  return execa(file, args, { cwd: system, env: surroundings(), extendEnv: false, reject: false });
}

function dpkg(...args: readonly string[]) {
  const flags = ["--force-not-root", "--force-script-chrootless", "--log=/dev/null"];
  return execa("dpkg", [`--root=${system}`, ...flags, ...args], {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
}

afterAll(() => rmSync(system, { recursive: true, force: true }));

describe.skipIf(!has("dpkg"))("installed with dpkg (skipped without dpkg)", () => {
  beforeAll(async () => {
    for (const path of ["info", "updates"]) mkdirSync(join(system, "var/lib/dpkg", path), { recursive: true });
    writeFileSync(join(system, "var/lib/dpkg/status"), GLIBC);
    await dpkg("--install", deb);
  });

  test("relayctl runs, prints the version of the package, and lists relayers", async () => {
    const shown = await dpkg("--status", "relayctl");
    expect(shown.stdout).toContain(`\nStatus: install ok installed\n`);
    expect(shown.stdout).toContain(`\nVersion: ${version}\n`);
    expect(await run("relayctl", ["--version"])).toMatchObject({ exitCode: 0, stdout: version, stderr: "" });
    const { stdout } = await run("relayctl", ["--demo", "relayers", "list", "-o", "name"]);
    expect(stdout.split("\n")).toHaveLength(8);
  });

  test("every installed file is as the package has it", async () =>
    expect(await dpkg("--verify", "relayctl")).toMatchObject({ exitCode: 0, stdout: "" }));

  test.skipIf(!has("man"))("man shows the pages without a warning (skipped without man)", async () => {
    const pages = readdirSync(join(share, "man/man1"));
    expect(pages).toContain("relayctl-relayers.1.gz");
    for (const page of ["relayctl", "relayctl-tx"]) {
      const { stdout, stderr } = await run("man", ["--warnings", "-M", join(share, "man"), page]);
      expect([stderr, stdout]).toEqual(["", expect.stringMatching(new RegExp(`^NAME\\n +${page} - `, "m"))]);
    }
  });

  const READY = "PS1='READ''Y> '";
  const LOADER = "/usr/share/bash-completion/bash_completion";
  const shells = [
    {
      name: "bash",
      argv: ["--norc", "-i"],
      setUp: `. ${LOADER}; bind -x '"\\C-g": printf "<%s>" "$READLINE_LINE"'; ${READY}`,
    },
    {
      name: "zsh",
      argv: ["-f", "-i"],
      setUp: `fpath=('${share}/zsh/vendor-completions' $fpath); autoload -U compinit; compinit -u -D; show() { print -rn -- "<$BUFFER>" }; zle -N show; bindkey '^G' show; ${READY}`,
    },
    {
      name: "fish",
      argv: ["-i"],
      setUp: `bind \\cg 'printf "<%s>" (commandline)'; function fish_prompt; echo -n 'READ''Y> '; end`,
    },
  ].map((shell) => ({ ...shell, list: "\t" }));

  for (const shell of shells) {
    const canLoad = has(shell.name) && (shell.name !== "bash" || existsSync(LOADER));
    test.skipIf(!canLoad)(`${shell.name} loads the completion at TAB (skipped without it)`, async () => {
      const { completed } = await startSession(shell, { folder: join(system, "home"), env: surroundings() });
      expect(await completed("relayctl relayers upd")).toBe("relayctl relayers update ");
      expect(await completed("relayctl relayers list --output=nd")).toBe("relayctl relayers list --output=ndjson ");
    });
  }

  test("a removal leaves no file", async () => {
    await dpkg("--purge", "relayctl");
    expect(existsSync(join(system, "usr"))).toBe(false);
  });
});

test.skipIf(!has("readelf", "dpkg-deb"))(
  "the package depends on the glibc that the executable needs (skipped without readelf and dpkg-deb)",
  async () => {
    const unpacked = join(system, "unpacked");
    await execa("dpkg-deb", ["--extract", deb, unpacked]);
    const { stdout } = await execa("readelf", ["--version-info", join(unpacked, "usr/bin/relayctl")]);
    const minors = [...stdout.matchAll(/\bGLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
    const depends = await execa("dpkg-deb", ["--field", deb, "Depends"]);
    expect(depends.stdout).toBe(`libc6 (>= 2.${Math.max(...minors)})`);
  },
);

const canLint = !EXECUTABLE && has("lintian");

test.skipIf(!canLint)("lintian finds no error and no warning (skipped without lintian or a release)", async () => {
  const { exitCode, stdout } = await execa("lintian", ["--fail-on", "error,warning", deb], { reject: false });
  expect([exitCode, stdout]).toEqual([0, ""]);
});
