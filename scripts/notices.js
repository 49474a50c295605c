import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { rolldown } from "rolldown";
import { common, output, root } from "./bundle.js";

/**
 * Writes THIRD-PARTY-NOTICES.md: the licenses of the packages that are in the bundle, found by what is really in it.
 * With --check it writes nothing and fails when the file is stale.
 */
const file = join(root, "THIRD-PARTY-NOTICES.md");

async function bundledFolders() {
  const bundle = await rolldown({
    ...common,
    input: ["entry", "index", "complete"].map((name) => join(root, `src/${name}.ts`)),
  });
  const { output: chunks } = await bundle.generate(output);
  await bundle.close();
  const modules = chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  return new Set(modules.flatMap(packageFolder));
}

/** The folder of the package that a module is of; nothing for the project's own. */
function packageFolder(module) {
  const mark = `${sep}node_modules${sep}`;
  const start = module.lastIndexOf(mark);
  if (start < 0) return [];
  const [first, second] = module.slice(start + mark.length).split(sep);
  return [join(module.slice(0, start), "node_modules", first, first.startsWith("@") ? second : "")];
}

function notice(folder) {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licenseFile = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!licenseFile) throw new Error(`${name} ${version} brings no license text`);
  const text = readFileSync(join(folder, licenseFile), "utf8").replaceAll("\r\n", "\n").trim();
  const facts = `License: ${license}\nSource: ${sourceOf(repository)}`;
  return `## ${name} ${version}\n\n${facts}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
}

/** Where the sources are, as a page: some of the licenses ask for that. */
function sourceOf(repository) {
  const url = typeof repository === "string" ? repository : repository.url;
  const found = /(?:github\.com[/:]|^github:|^)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url);
  if (!found) throw new Error(`no page is known for ${url}`);
  return `https://github.com/${found[1]}`;
}

const folders = await bundledFolders();
const notices = [...folders].map(notice).sort();
const head = `# Third-party notices\n\nrelayctl ships with these packages inside. Written by \`npm run notices\`.\n`;
const content = [head, ...notices].join("\n");

if (!process.argv.includes("--check")) writeFileSync(file, content);
else if (!existsSync(file) || readFileSync(file, "utf8") !== content) {
  console.error("THIRD-PARTY-NOTICES.md is stale: npm run notices");
  process.exitCode = 1;
}
