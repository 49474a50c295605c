import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { root } from "./bundle.js";
import { partsOfProgram, writeParts, writeWords } from "./parts.js";

/** Bundles the sources into dist/ and writes the declarations of the library next to them. */
const dist = join(root, "dist");
/** Both take about as long, and each one processor. */
const types = process.argv.includes("--no-types")
  ? undefined
  : once(new Worker(join(root, "scripts/types.js")), "message");

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
writeFileSync(join(dist, "package.json"), '{ "type": "commonjs" }\n');

await writeParts(await partsOfProgram("node"), dist);
await writeWords(dist);

if (types) writeFileSync(join(dist, "index.d.ts"), (await types)[0]);
