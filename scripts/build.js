import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { input, output, root } from "./bundle.js";
import { completionInput } from "./completion.js";
import { libraryTypes } from "./types.js";

/** Bundles the sources into dist/ and writes the declarations of the library beside them. */
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
writeFileSync(join(dist, "package.json"), '{ "type": "commonjs" }\n');

for (const part of [input, await completionInput()]) {
  const bundle = await rolldown(part);
  await bundle.write({ ...output, dir: dist });
  await bundle.close();
}

if (!process.argv.includes("--no-types")) writeFileSync(join(dist, "index.d.ts"), libraryTypes(root));
