import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitOf } from "../build-facts.js";
import { root } from "../bundle.js";
import { CHECKSUMS } from "./artifacts.js";
import { buildRelease } from "./build-release.js";
import { buildersOf } from "./builders.js";
import { differingFiles } from "./checksums.js";
import { releaseOptions } from "./options.js";

/**
 * npm run release: builds what users get into release/, from a clean checkout. `--only linux-x64,…` builds only the
 * executables of these platforms, `--check` builds twice and fails if a file differs, and `--allow-dirty` also builds a
 * checkout with changes, which `relayctl version` then reports.
 */
const into = join(root, "release");
const say = (line) => console.error(line);
const now = () => performance.now();

async function main() {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { platforms, isCheck, commit } = releaseOptions(process.argv.slice(2), commitOf(root));
  const about = { version, ...commit };
  const builders = buildersOf(about);
  const checksums = await buildRelease({ about, platforms, into, builders, say, now });
  if (isCheck) await buildAgain({ about, platforms, builders, checksums });
}

async function buildAgain({ checksums, ...release }) {
  const second = mkdtempSync(join(tmpdir(), "relayctl-release-"));
  try {
    say("again, to compare:");
    const again = await buildRelease({ ...release, into: second, say, now });
    const differing = differingFiles(checksums, again);
    if (differing.length === 0) return say("both builds are equal");
    rmSync(join(into, CHECKSUMS));
    throw new Error(`not reproducible: ${differing.join(", ")}`);
  } finally {
    rmSync(second, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  say(`error: ${error.message}`);
  process.exitCode = 1;
}
