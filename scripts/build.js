import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { common, library, output, root, shared } from "./bundle.js";
import { programParts } from "./program.js";
import { runSource } from "./run-source.js";
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
  // Completion: shares no file with the others.
  { input: { ...common, input: { complete: join(root, "src/complete.ts") } }, output },
];
for (const part of parts) {
  const bundle = await rolldown(part.input);
  await bundle.write({ ...part.output, dir: dist });
  await bundle.close();
}

// Everything that can be typed, as data for completion, help, and mistakes, which then load no command.
const words = join(dist, "words");
mkdirSync(words);
for (const [name, content] of Object.entries(await runSource("cli/completion-words.ts", "filesOfAllWords")))
  writeFileSync(join(words, `${name}.json`), JSON.stringify(content));

if (!process.argv.includes("--no-types")) writeFileSync(join(dist, "index.d.ts"), libraryTypes(root));
