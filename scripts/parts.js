import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { common, output, root, shared } from "./bundle.js";
import { programParts } from "./program.js";
import { runSource } from "./run-source.js";

/**
 * Returns the bundles of the program.
 * @param {"node" | "bun"} runtime what runs it
 */
export async function partsOfProgram(runtime) {
  return [
    await programParts(runtime),
    ...shared.map((input) => ({ input, output })),
    // Completion: shares no file with the others.
    { input: { ...common, input: { complete: join(root, "src/complete.ts") } }, output },
  ];
}

/** Writes bundles into a folder. */
export async function writeParts(parts, folder) {
  for (const part of parts) {
    const bundle = await rolldown(part.input);
    await bundle.write({ ...part.output, dir: folder });
    await bundle.close();
  }
}

/** Writes everything that can be typed, as data for completion, help, and mistakes, which then load no command. */
export async function writeWords(folder) {
  const words = join(folder, "words");
  mkdirSync(words);
  for (const [name, content] of Object.entries(await runSource("cli/completion-words.ts", "filesOfAllWords")))
    writeFileSync(join(words, `${name}.json`), JSON.stringify(content));
}
