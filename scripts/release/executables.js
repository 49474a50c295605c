import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { buildFacts } from "../build-facts.js";
import { common, output, root } from "../bundle.js";
import { runSource } from "../run-source.js";
import { thisPlatform } from "./platforms.js";
import { bunFor } from "./toolchain.js";

/** Else a file in the current folder would run code, or set RELAYCTL_SERVER. */
const READS_NO_FILES = [
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-package-json",
  "--no-compile-autoload-tsconfig",
];

/**
 * Builds the executable of one platform on any platform, and returns its path.
 * @param {import("./platforms.js").Platform} platform
 * @param {string} into a folder
 */
export async function buildExecutable(platform, into) {
  const [path] = await buildExecutables([platform], into);
  return path;
}

/**
 * Builds the executables of some platforms from one bundle, and returns their paths.
 * @param {readonly import("./platforms.js").Platform[]} platforms
 * @param {string} into a folder
 */
export async function buildExecutables(platforms, into) {
  mkdirSync(into, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "relayctl-executable-"));
  try {
    await bundleInto(folder);
    return platforms.map((platform) => compiled(platform, folder, resolve(into, platform.file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the program as one file, and next to it what it reads as files. */
async function bundleInto(folder) {
  const bundle = await rolldown({
    ...common,
    input: { relayctl: join(root, "src/executable.ts") },
    // Only the package uses it, and Bun would put in the path of this machine.
    transform: { define: { ...buildFacts("executable", root), "import.meta.dirname": '""' } },
  });
  await bundle.write({ ...output, dir: folder, sourcemap: false, codeSplitting: false });
  await bundle.close();
  const words = join(folder, "words");
  mkdirSync(words);
  for (const [name, content] of Object.entries(await runSource("cli/completion-words.ts", "filesOfAllWords")))
    writeFileSync(join(words, `${name}.json`), JSON.stringify(content));
}

/** Runs Bun's compiler, which takes the runtime of another platform from its package and downloads nothing. */
function compiled(platform, folder, outfile) {
  const target = [`--target=${platform.bun}`, `--compile-executable-path=${bunFor(platform)}`];
  const flags = ["--compile", "--bytecode", ...READS_NO_FILES, ...target, "--asset=./words"];
  // No settings of the user apply.
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, DO_NOT_TRACK: "1" };
  execFileSync(bunFor(thisPlatform()), ["build", ...flags, `--outfile=${outfile}`, "./relayctl.js"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return outfile;
}
