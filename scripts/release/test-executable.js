import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../bundle.js";
import { buildExecutable } from "./executables.js";
import { thisPlatform } from "./platforms.js";

/**
 * `node test-executable.js FILE …`: runs the built-program tests with RELAYCTL_PROGRAM or a new executable. FILE gets the
 * numbers of tests; others are for Vitest.
 */
const folder = mkdtempSync(join(tmpdir(), "relayctl-executable-"));
try {
  const [report = join(folder, "report"), ...args] = process.argv.slice(2);
  const RELAYCTL_PROGRAM = process.env.RELAYCTL_PROGRAM ?? (await buildExecutable(thisPlatform(), folder));
  const tests = [join(root, "scripts/ci/tests.js"), report, "--project", "built", ...args];
  const env = { ...process.env, RELAYCTL_PROGRAM };
  process.exitCode = spawnSync(process.execPath, tests, { cwd: root, env, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
