import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Bundles the sources into dist/: one small entry, a chunk per command group, and everything they need inside. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
// CommonJS starts 5 ms sooner than ES modules on Node 20, and loads node:http without its costly namespace on 22.
writeFileSync(join(dist, "package.json"), '{ "type": "commonjs" }\n');

const bundle = await rolldown({
  input: { main: join(root, "src/main.ts"), index: join(root, "src/index.ts") },
  platform: "node",
  treeshake: true,
  resolve: { conditionNames: ["node", "import", "default"] },
});
await bundle.write({
  dir: dist,
  format: "cjs",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  sourcemap: true,
  minify: false,
});
await bundle.close();

if (!process.argv.includes("--no-types")) {
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.types.json"], { cwd: root, stdio: "inherit" });
}
