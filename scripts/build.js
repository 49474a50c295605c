import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";
import { partsOfProgram, writeParts, writeWords } from "./parts.js";
import { libraryTypes } from "./types.js";

/** Bundles the sources into dist/ and writes the declarations of the library beside them. */
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
writeFileSync(join(dist, "package.json"), '{ "type": "commonjs" }\n');

await writeParts(await partsOfProgram("node"), dist);
await writeWords(dist);

if (!process.argv.includes("--no-types")) writeFileSync(join(dist, "index.d.ts"), libraryTypes(root));
