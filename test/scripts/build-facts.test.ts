import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFacts, commitOf } from "../../scripts/build-facts.js";
import { chosen } from "../helpers/deep.ts";

/** A checkout with one commit of a known time. */
function checkout() {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-checkout-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const date = "2026-01-02T03:04:05Z";
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { env, encoding: "utf8" }).trim();
  git("init", "--quiet");
  writeFileSync(join(folder, "a"), "1");
  git("add", "a");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--message", "Add a");
  return { folder, git, hash: git("rev-parse", "HEAD") };
}

test("a clean checkout has the hash of its commit and its time in seconds", () => {
  const { folder, hash } = checkout();
  expect(commitOf(folder)).toEqual({ hash, epoch: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000, isClean: true });
  expect(buildFacts("npm", folder)).toEqual({
    RELAYCTL_BUILD: '"npm"',
    RELAYCTL_COMMIT: `"${hash}"`,
    RELAYCTL_CLEAN: "true",
  });
});

test.each(chosen(["a", "new"], 1))("a checkout with a change in the file %s is not clean", (file) => {
  const { folder } = checkout();
  writeFileSync(join(folder, file), "2");
  expect(commitOf(folder)?.isClean).toBe(false);
});

test.each([
  ["new", ["config", "status.showUntrackedFiles", "no"]],
  ["a", ["update-index", "--assume-unchanged", "a"]],
  ["a", ["update-index", "--skip-worktree", "a"]],
])("a checkout in which git hides a change in the file %s is not clean: git %j", (file, hiding) => {
  const { folder, git } = checkout();
  git(...hiding);
  writeFileSync(join(folder, file), "2");
  expect(commitOf(folder)?.isClean).toBe(false);
});

test("a folder outside a checkout, or inside another project's, has no commit", () => {
  const { folder } = checkout();
  const inner = join(folder, "vendor");
  mkdirSync(inner);
  expect(commitOf(inner)).toBeUndefined();
  expect(commitOf(tmpdir())).toBeUndefined();
  expect(buildFacts("source", inner).RELAYCTL_COMMIT).toBe("undefined");
});
