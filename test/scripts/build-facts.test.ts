import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFacts, commitOf } from "../../scripts/build-facts.js";
import { joined, partsOf } from "../../scripts/parser-parts.js";
import { unrecorded, withSection } from "../../scripts/section.js";
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

const require = createRequire(import.meta.url);

test("the HTTP parser without SIMD is made of the other one, byte for byte, and little more", () => {
  const plain: Buffer = require("undici/lib/llhttp/llhttp-wasm.js");
  const simd: Buffer = require("undici/lib/llhttp/llhttp_simd-wasm.js");
  const parts = partsOf(plain, simd);
  expect(joined(parts, simd).equals(plain)).toBe(true);
  expect(JSON.stringify(parts).length).toBeLessThan(1000);
});

test.each([
  ["the same bytes", "a".repeat(40), "a".repeat(40)],
  ["nothing in common", "abcdefghijklmnopqrstuvwxyz", "0123456789".repeat(5)],
  ["a piece at another place, and other bytes around it", `x${"0123456789".repeat(3)}y`, `--${"0123456789".repeat(3)}`],
  ["fewer bytes than a piece", "abc", "abc"],
  ["no bytes", "", "abc"],
])("bytes with %s are put together again", (_, bytes, others) => {
  const [whole, source] = [Buffer.from(bytes), Buffer.from(others)];
  expect(joined(partsOf(whole, source), source).equals(whole)).toBe(true);
});

const DOCUMENT = "# Speed\n\n<!-- bench: written by npm run bench -->\n\nold\n\n<!-- end of bench -->\n\nmore\n";

test("only the text between the marks is replaced", () => {
  const written = withSection(DOCUMENT, "bench", "| new |");
  expect(written).toBe(DOCUMENT.replace("old", "| new |"));
  expect(withSection(written, "bench", "| new |")).toBe(written);
});

test("a document without the marks is rejected", () => {
  expect(() => withSection(DOCUMENT, "figures", "")).toThrow("there is no place for figures");
  expect(() => withSection(DOCUMENT.replace("end of bench", ""), "bench", "")).toThrow("there is no place for bench");
});

const MEASURED = { document: "docs/project/performance.md", date: "2026-01-02", commit: "0123abcd" };
const RECORD = {
  sections: { bench: { ...MEASURED, lines: ["| 7 |"] } },
  prose: [{ ...MEASURED, figures: ["1,000 runs", "2.5 s"] }],
  chosen: [],
};
const PAGE = withSection(
  `${DOCUMENT}\nMeasured on 2026-01-02, commit 0123abcd: 1,000 runs in 2.5 s, with exit 0.\n\nA rule of 3 words.\n`,
  "bench",
  "Measured on 2026-01-02, commit 0123abcd.\n\n| 7 |",
);

test.each([
  ["what it says", PAGE, []],
  [
    "another section",
    PAGE.replace("| 7 |", "| 8 |"),
    ["docs/project/performance.md: the section bench differs from docs/project/figures.json"],
  ],
  ["another date of a section", PAGE.replace("2026-01-02, commit 0123abcd.", "2026-01-03, commit 0123abcd."), 1],
  [
    "another figure",
    PAGE.replace("1,000 runs", "11,000 runs"),
    [
      'docs/project/performance.md: docs/project/figures.json does not have "11,000 runs"',
      'docs/project/figures.json: docs/project/performance.md does not have "1,000 runs"',
    ],
  ],
  ["a part of a figure", PAGE.replace("2.5 s", "5 s"), 2],
  ["another commit", PAGE.replace("commit 0123abcd:", "commit 0123abce:"), 1],
  ["one more paragraph", `${PAGE}\nIn 40 lives, nothing was paid twice.\n`, 1],
])("a page is compared with its record: %s", (_, page, faults) => {
  const found = unrecorded("docs/project/performance.md", page, RECORD);
  expect(typeof faults === "number" ? found.length : found).toEqual(faults);
});
