import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { library, output, root, shared } from "./bundle.js";
import { completionInput } from "./completion.js";
import { programParts } from "./program.js";
import { libraryTypes } from "./types.js";

/** Bundles the sources into dist/ and writes the declarations of the library beside them. */
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
writeFileSync(join(dist, "package.json"), '{ "type": "commonjs" }\n');

const program = await programParts();
const parts = [
  program,
  { input: library, output },
  ...shared.map((input) => ({ input, output })),
  { input: await completionInput(), output },
];
for (const part of parts) {
  const bundle = await rolldown(part.input);
  await bundle.write({ ...part.output, dir: dist });
  await bundle.close();
}

if (!process.argv.includes("--no-types")) writeFileSync(join(dist, "index.d.ts"), libraryTypes(root));
