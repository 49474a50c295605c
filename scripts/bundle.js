import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** One line of a library that takes long when it is loaded, and the line that stands for it in the bundle. */
function lighter(file, line, instead) {
  return {
    name: `lighter ${file}`,
    transform(code, id) {
      if (!id.endsWith(`/node_modules/${file}`) || id.split("/node_modules/").length > 2) return null;
      const changed = code.replace(line, () => instead);
      if (changed === code) throw new Error(`${file} does not say ${line} any more`);
      return { code: changed, map: null };
    },
  };
}

/** commander starts other programs for commands that are files of their own. There are none here, and to load that takes 3 ms. */
const startsNoPrograms = lighter("commander/lib/command.js", "require('node:child_process')", "{}");

/** The rules of graphemes take as long to load as Node itself, and most texts have none. */
const segmentsWhenAsked = lighter(
  "string-width/index.js",
  "const segmenter = new Intl.Segmenter();",
  "let loaded; const segmenter = { segment: (text) => (loaded ??= new Intl.Segmenter()).segment(text) };",
);

/** How everything is bundled. */
export const common = {
  platform: "node",
  treeshake: true,
  plugins: [startsNoPrograms, segmentsWhenAsked],
  resolve: { conditionNames: ["node", "import", "default"] },
};

const POOL = "undici/lib/dispatcher/client.js";

/** Loads the client for many connections, the largest library by far, from a file that program and library share. */
const sharedPool = {
  name: "shared pool",
  resolveId: (id) => (id === POOL ? { id: "../pool.js", external: true } : null),
};

/** What imports the pool; all of it is in `dist/chunks`. */
export const sharing = { ...common, plugins: [...common.plugins, sharedPool] };

export const pool = { ...common, input: { pool: join(root, "node_modules", POOL) } };

/** The library: a separate bundle, which shares only the pool with the program, so that each loads what it needs and no more. */
export const library = { ...sharing, input: { index: join(root, "src/index.ts") } };

/** CommonJS starts 5 ms sooner than ES modules on Node 20, and loads node:http without its costly namespace on 22. */
export const output = {
  format: "cjs",
  entryFileNames: "[name].js",
  // To import node:http takes as long as a start of Node 22; to require it does not.
  dynamicImportInCjs: false,
  chunkFileNames: "chunks/[name]-[hash].js",
  sourcemap: true,
  minify: true,
};
