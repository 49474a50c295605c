import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildFacts } from "../build-facts.js";
import { common, output, root } from "../bundle.js";
import { partsOfProgram, writeParts, writeWords } from "../parts.js";
import { headerProblem } from "./headers.js";
import { thisPlatform } from "./platforms.js";
import { signed } from "./sign-macos.js";
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

/** Only the package uses it, and Bun would put in the path of this machine. */
const define = { ...buildFacts("executable", root), "import.meta.dirname": '""' };

/** The files that the entry loads. */
const FILES = {
  "./entry.ts": { id: "./main.js", external: true },
  "./complete.ts": { id: "./complete.js", external: true },
};

/** The package's entry. In one file, every function of the program would be read at each start. */
const entry = {
  input: {
    ...common,
    input: { relayctl: join(root, "src/executable.ts") },
    plugins: [{ name: "files of the package", resolveId: (source) => FILES[source] ?? null }, ...common.plugins],
  },
  output,
};
/** Writes the program, and next to it what it reads as files. */
async function bundleInto(folder) {
  const parts = [...(await partsOfProgram("bun")), entry].map(({ input, output: written }) => ({
    input: { ...input, transform: { define } },
    output: { ...written, sourcemap: false },
  }));
  await writeParts(parts, folder);
  await writeWords(folder);
}

/** Runs Bun's compiler with another platform's runtime, without downloads. @throws if the result could not start */
function compiled(platform, folder, outfile) {
  const runtime = join(folder, `runtime-${platform.name}`);
  writeFileSync(runtime, withoutReports(readFileSync(bunFor(platform))), { mode: 0o755 });
  const target = [`--target=${platform.bun}`, `--compile-executable-path=${runtime}`];
  const flags = ["--compile", "--bytecode", ...READS_NO_FILES, ...target, "--asset=./words"];
  // No settings of the user apply.
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, DO_NOT_TRACK: "1" };
  execFileSync(bunFor(thisPlatform()), ["build", ...flags, `--outfile=${outfile}`, "./relayctl.js"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (platform.os === "darwin") writeFileSync(outfile, signed(readFileSync(outfile)));
  const problem = headerProblem(readFileSync(outfile), platform);
  if (problem !== undefined) throw new Error(`${platform.file}: ${problem}`);
  return outfile;
}

/** Where Bun reports its crashes to, on macOS and Windows without asking. */
const REPORTS = "https://bun.report";
/** As long, and no request is possible to it: there is no port 0. */
const NOWHERE = "https://0.0.0.0:0/";

/** Returns Bun without the address that it would report a crash to: nothing is sent but what a command sends. */
function withoutReports(bun) {
  const at = bun.indexOf(REPORTS);
  if (at < 0 || bun.indexOf(REPORTS, at + 1) >= 0) throw new Error("Bun reports crashes in another way than before");
  bun.write(NOWHERE, at, "latin1");
  return bun;
}
