import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";
import { writeSection } from "./section.js";

/** Writes what the last runs of the tests measured into docs/reliability.md. */
const figures = JSON.parse(readFileSync(join(root, "coverage/figures.json"), "utf8"));
const rows = figures.map(({ name, value, command }) => `| ${name} | ${value} | \`${command}\` |`);
const table = ["| What | Figure | Measured by |", "|---|---|---|", ...rows].join("\n");

writeSection(join(root, "docs/reliability.md"), "figures", table);
