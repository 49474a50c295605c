import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { common, output, root } from "./bundle.js";

/**
 * A package that is in the bundle.
 * @typedef {object} BundledPackage
 * @property {string} path its folder as in package-lock.json, e.g. `node_modules/zod`
 * @property {string} name
 * @property {string} version
 * @property {string} license as package.json has it
 * @property {string} source the page of its sources
 * @property {string} text its license
 */

/**
 * Returns the packages that are in the bundle, found by what is really in it.
 * @returns {Promise<BundledPackage[]>}
 */
export async function bundledPackages() {
  const bundle = await rolldown({
    ...common,
    input: ["entry", "index", "complete"].map((name) => join(root, `src/${name}.ts`)),
  });
  const { output: chunks } = await bundle.generate(output);
  await bundle.close();
  const modules = chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  return [...new Set(modules.flatMap(packageFolder))].map(describe);
}

/** The folder of the package that a module is of; nothing for the project's own. */
function packageFolder(module) {
  const mark = `${sep}node_modules${sep}`;
  const start = module.lastIndexOf(mark);
  if (start < 0) return [];
  const [first, second] = module.slice(start + mark.length).split(sep);
  return [join(module.slice(0, start), "node_modules", first, first.startsWith("@") ? second : "")];
}

function describe(folder) {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licenseFile = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!licenseFile) throw new Error(`${name} ${version} contains no license text`);
  const text = readFileSync(join(folder, licenseFile), "utf8").replaceAll("\r\n", "\n").trim();
  const path = relative(root, folder).split(sep).join("/").replace(/\/$/, "");
  return { path, name, version, license, source: sourceOf(repository), text };
}

/** Where the sources are, as a page: some of the licenses ask for that. */
function sourceOf(repository) {
  const url = typeof repository === "string" ? repository : repository.url;
  const found = /(?:github\.com[/:]|^github:|^)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url);
  if (!found) throw new Error(`unknown page of the sources: ${url}`);
  return `https://github.com/${found[1]}`;
}
