import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Has the version of Bun that is used, with the checksum of its package for each platform. */
const TOOLCHAIN = join(import.meta.dirname, "toolchain");
const FILES = ["package.json", "package-lock.json", ".npmrc"];
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Returns the path of Bun for a platform, which need not be this machine's. npm installs the package of the lock file, verifies
 * its checksum, and runs nothing of it.
 * @param {import("./platforms.js").Platform} platform
 */
export function bunFor({ name, package: wanted, os, cpu }) {
  const folder = join(TOOLCHAIN, name);
  const bun = join(folder, "node_modules", wanted, "bin", os === "win32" ? "bun.exe" : "bun");
  const isCurrent = existsSync(bun) && FILES.every((file) => contentOf(folder, file) === contentOf(TOOLCHAIN, file));
  if (!isCurrent) {
    rmSync(folder, { recursive: true, force: true });
    const unfinished = mkdtempSync(`${folder}-`);
    for (const file of FILES) copyFileSync(join(TOOLCHAIN, file), join(unfinished, file));
    const target = [`--os=${os}`, `--cpu=${cpu}`, "--libc=glibc"];
    execFileSync("npm", ["ci", ...QUIET, ...target], { cwd: unfinished, stdio: ["ignore", "ignore", "inherit"] });
    renameSync(unfinished, folder);
  }
  return bun;
}

function contentOf(folder, file) {
  return readFileSync(join(folder, file), "utf8");
}
