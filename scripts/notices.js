import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";
import { bundledPackages } from "./bundled.js";

/** Writes THIRD-PARTY-NOTICES.md: the licenses of the packages in the bundle. --check only compares. */
const file = join(root, "THIRD-PARTY-NOTICES.md");

function notice({ name, version, license, source, text }) {
  const facts = `License: ${license}\nSource: ${source}`;
  return `## ${name} ${version}\n\n${facts}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
}

const notices = (await bundledPackages()).map(notice).sort();
const head = `# Third-party notices\n\nrelayctl ships with these packages inside. Written by \`npm run notices\`.\n`;
const content = [head, ...notices].join("\n");

if (!process.argv.includes("--check")) writeFileSync(file, content);
else if (!existsSync(file) || readFileSync(file, "utf8") !== content) {
  console.error("THIRD-PARTY-NOTICES.md is stale: npm run notices");
  process.exitCode = 1;
}
