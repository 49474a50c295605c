import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";
import { bundledPackages } from "./bundled.js";

/** Writes THIRD-PARTY-NOTICES.md: the licenses of the packages in the bundle. --check only compares. */
const file = join(root, "THIRD-PARTY-NOTICES.md");

function notice(packages) {
  const [{ license, text }] = packages;
  const sources = packages.map(({ name, version, source }) => `- ${name} ${version}: ${source}`);
  return `## ${license}\n\n${sources.join("\n")}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
}

const packages = (await bundledPackages()).sort((one, other) => (one.name < other.name ? -1 : 1));
const texts = [...new Set(packages.map(({ text }) => text))];
const notices = texts.map((text) => notice(packages.filter((each) => each.text === text)));
const head = `# Third-party notices\n\nrelayctl ships with these packages inside. Written by \`npm run notices\`.\n`;
const content = [head, ...notices].join("\n");

if (!process.argv.includes("--check")) writeFileSync(file, content);
else if (!existsSync(file) || readFileSync(file, "utf8") !== content) {
  console.error("THIRD-PARTY-NOTICES.md is stale: npm run notices");
  process.exitCode = 1;
}
