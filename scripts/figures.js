import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";

/** Writes what the last runs of the tests measured into docs/reliability.md. */
const document = join(root, "docs/reliability.md");
const BEGIN = "<!-- figures: written by npm run figures -->";
const END = "<!-- end of figures -->";

const figures = JSON.parse(readFileSync(join(root, "coverage/figures.json"), "utf8"));
const rows = figures.map(({ name, value, command }) => `| ${name} | ${value} | \`${command}\` |`);
const table = ["| What | Figure | Measured by |", "|---|---|---|", ...rows].join("\n");

const text = readFileSync(document, "utf8");
const [before, rest] = text.split(BEGIN);
const [, after] = rest?.split(END) ?? [];
if (after === undefined) throw new Error(`${document} has no place for figures`);
writeFileSync(document, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
