import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { common, output, root } from "./bundle.js";

/** The entry of completion: a bundle of its own that shares no file with the others, with all that can be typed in it as data. */
export async function completionInput() {
  const file = join(root, "src/completion/shipped-words.ts");
  const code = `export const shippedWords = ${JSON.stringify(await wordsOfTheTree())};`;
  return {
    ...common,
    input: { complete: join(root, "src/complete.ts") },
    plugins: [...common.plugins, { name: "words", load: (id) => (id === file ? code : null) }],
  };
}

/** The sources say it themselves: they are bundled once more, for this alone, and run. */
async function wordsOfTheTree() {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-words-"));
  try {
    const bundle = await rolldown({ ...common, input: join(root, "src/cli/completion-words.ts") });
    await bundle.write({ ...output, dir: folder, entryFileNames: "words.cjs", chunkFileNames: "[name]-[hash].cjs" });
    await bundle.close();
    return await createRequire(import.meta.url)(join(folder, "words.cjs")).completionWords();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
