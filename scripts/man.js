import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";
import { runSource } from "./run-source.js";

/** Writes man/, a manual page for each help page, and their names into package.json, for npm. --check only compares. */
const folder = join(root, "man");
const manifest = join(root, "package.json");
const pages = await runSource("cli/manual/pages.ts", "manualPages");
const files = Object.keys(pages).sort();

function keptPages() {
  try {
    return Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  } catch {
    return {};
  }
}

function withNames(text) {
  return `${JSON.stringify({ ...JSON.parse(text), man: files.map((file) => `man/${file}`) }, null, 2)}\n`;
}

const text = readFileSync(manifest, "utf8");
if (process.argv.includes("--check")) {
  const kept = keptPages();
  const stale = [...new Set([...files, ...Object.keys(kept)])].filter((file) => pages[file] !== kept[file]);
  for (const file of stale) console.error(`man/${file} is stale: npm run man`);
  if (withNames(text) !== text) console.error("the pages named in package.json are stale: npm run man");
  process.exitCode = stale.length > 0 || withNames(text) !== text ? 1 : 0;
} else {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const file of files) writeFileSync(join(folder, file), pages[file]);
  writeFileSync(manifest, withNames(text));
}
