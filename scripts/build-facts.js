import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";

/** The facts of `relayctl version`, as the constants of src/version.ts. @param kind `npm`, `executable`, or `source` */
export function buildFacts(kind, root) {
  const commit = commitOf(root);
  return {
    RELAYCTL_BUILD: JSON.stringify(kind),
    RELAYCTL_COMMIT: commit ? JSON.stringify(commit.hash) : "undefined",
    RELAYCTL_CLEAN: commit ? String(commit.isClean) : "undefined",
  };
}

/**
 * Returns a checkout's hash, its time in seconds, and whether it is clean. A folder in another project's checkout has
 * none.
 */
export function commitOf(root) {
  const git = (...args) => {
    const { status, stdout } = spawnSync("git", ["-C", root, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return status === 0 ? stdout.trim() : undefined;
  };
  const top = git("rev-parse", "--show-toplevel");
  if (!top || realpathSync(top) !== realpathSync(root)) return undefined;
  // No setting of the user hides a change.
  const [hash, epoch] = git("log", "-1", "--no-show-signature", "--format=%H %ct")?.split(" ") ?? [];
  const changes = git("status", "--porcelain", "--untracked-files=normal");
  const files = git("ls-files", "-v");
  if (!hash || changes === undefined || files === undefined) return undefined;
  const areCompared = !/^[^H]/m.test(files);
  return { hash, epoch: Number(epoch), isClean: changes === "" && areCompared };
}
