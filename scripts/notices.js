import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";
import { bundledPackages } from "./bundled.js";

/** Writes THIRD-PARTY-NOTICES.md: the licenses of the packages in the bundle. --check only compares. */
const file = join(root, "THIRD-PARTY-NOTICES.md");

/** Short licenses differ only in their title, and in the lines of whose they are. */
const SHORT = ["MIT", "ISC"];
const OWN = /^\W*(?:Copyright|\(c\)) ?.*$/gm;
const TITLE = /^\W*(?:The )?(?:MIT|ISC) License\W*(?:\(MIT\))?\W*$/gim;

function split({ license, text }) {
  const body = text.replace(OWN, "").replace(TITLE, "").trim();
  if (!SHORT.includes(license) || !body.startsWith("Permission")) return { own: [], body: text };
  return { own: (text.match(OWN) ?? []).map((line) => line.trim()), body };
}

function bodyKey(each) {
  return split(each).body.replace(/\s+/g, " ");
}

function notice(packages) {
  const [first] = packages;
  const sources = packages.map((each) => {
    return `- ${[`${each.name} ${each.version}: ${each.source}`, ...split(each).own].join(", ")}`;
  });
  return `## ${first.license}\n\n${sources.join("\n")}\n\n\`\`\`text\n${split(first).body}\n\`\`\`\n`;
}

const packages = (await bundledPackages()).sort((one, other) => (one.name < other.name ? -1 : 1));
const keys = [...new Set(packages.map(bodyKey))];
const notices = keys.map((key) => notice(packages.filter((each) => bodyKey(each) === key)));
const head = `# Third-party notices\n\nrelayctl ships with these packages inside. Written by \`npm run notices\`.\n`;
const content = [head, ...notices].join("\n");

if (!process.argv.includes("--check")) writeFileSync(file, content);
else if (!existsSync(file) || readFileSync(file, "utf8") !== content) {
  console.error("THIRD-PARTY-NOTICES.md is stale: npm run notices");
  process.exitCode = 1;
}
