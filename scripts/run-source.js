import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { common, output, root } from "./bundle.js";

/** Bundles a source file, calls a function that it exports, and returns the result. */
export async function runSource(path, name) {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-source-"));
  try {
    const bundle = await rolldown({ ...common, input: join(root, "src", path) });
    await bundle.write({ ...output, dir: folder, entryFileNames: "source.cjs", chunkFileNames: "[name]-[hash].cjs" });
    await bundle.close();
    return await createRequire(import.meta.url)(join(folder, "source.cjs"))[name]();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
