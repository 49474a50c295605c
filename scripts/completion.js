import { join } from "node:path";
import { common, root } from "./bundle.js";
import { runSource } from "./run-source.js";

/** The entry of completion: a bundle of its own that shares no file with the others, with all that can be typed in it as data. */
export async function completionInput() {
  const file = join(root, "src/completion/shipped-words.ts");
  const code = `export const shippedWords = ${JSON.stringify(await runSource("cli/completion-words.ts", "completionWords"))};`;
  return {
    ...common,
    input: { complete: join(root, "src/complete.ts") },
    plugins: [...common.plugins, { name: "words", load: (id) => (id === file ? code : null) }],
  };
}
