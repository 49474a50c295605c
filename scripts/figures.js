import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./bundle.js";
import { readRecord, unrecorded, writeSection } from "./section.js";

/**
 * npm run figures: writes the measurements of the last test runs into docs/project/reliability.md and figures.json. --check fails if a page has a
 * figure that figures.json lacks, and writes nothing.
 */
const PAGES = [
  "README.md",
  "docs/project/reliability.md",
  "docs/project/performance.md",
  "docs/reference/performance.md",
];

if (parseArgs({ options: { check: { type: "boolean" } } }).values.check) {
  const record = readRecord();
  const faults = PAGES.flatMap((page) => unrecorded(page, readFileSync(join(root, page), "utf8"), record));
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    process.exitCode = 1;
  }
} else {
  const figures = JSON.parse(readFileSync(join(root, "coverage/figures.json"), "utf8"));
  const rows = figures.map(({ name, value, command }) => `| ${name} | ${value} | \`${command}\` |`);
  const table = ["| What | Figure | Measured by |", "|---|---|---|", ...rows].join("\n");
  writeSection("docs/project/reliability.md", "figures", table);
}
