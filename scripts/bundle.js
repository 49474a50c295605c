import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildFacts } from "./build-facts.js";
import { joined, partsOf } from "./parser-parts.js";

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

/** commander starts other programs for commands in separate files. relayctl has none, and loading this module takes 3 ms. */
const startsNoPrograms = lighter("commander/lib/command.js", "require('node:child_process')", "{}");

/** The rules of graphemes take as long to load as Node itself, and most texts have none. */
const segmentsWhenAsked = lighter(
  "string-width/index.js",
  "const segmenter = new Intl.Segmenter();",
  "let loaded; const segmenter = { segment: (text) => (loaded ??= new Intl.Segmenter()).segment(text) };",
);

/** conf validates schemas and migrates versions with libraries ten times as large as it. relayctl has its own of both. */
const CONF = "conf/dist/source/index.js";
const storesOnly = [
  lighter(CONF, "import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';", "const Ajv = undefined;"),
  lighter(CONF, "import ajvFormatsModule from 'ajv-formats';", "const ajvFormatsModule = undefined;"),
  lighter(CONF, "import semver from 'semver';", "const semver = undefined;"),
];

const PARSERS = { plain: "undici/lib/llhttp/llhttp-wasm.js", simd: "undici/lib/llhttp/llhttp_simd-wasm.js" };

/** The HTTP parser for processors without SIMD, as parts of the other one: the package is 24 kB smaller. */
const parserOnce = {
  name: "parser once",
  transform(_, id) {
    if (!id.endsWith(`/node_modules/${PARSERS.plain}`)) return null;
    const require = createRequire(import.meta.url);
    const [plain, simd] = [require(PARSERS.plain), require(PARSERS.simd)];
    const parts = partsOf(plain, simd);
    if (!joined(parts, simd).equals(plain)) throw new Error("the parts of the HTTP parser are not the whole");
    const code = `${joined} module.exports = joined(${JSON.stringify(parts)}, require("./llhttp_simd-wasm.js"));`;
    return { code, map: null };
  },
};

/** The HTTP parser as hex, which gzip makes smaller than base64. */
const parserAsHex = {
  name: "parser as hex",
  transform(_, id) {
    if (!id.endsWith(`/node_modules/${PARSERS.simd}`)) return null;
    const hex = createRequire(import.meta.url)(PARSERS.simd).toString("hex");
    return { code: `module.exports = Buffer.from("${hex}", "hex");`, map: null };
  },
};

/** What is built: `--kind=npm` for the package, `--kind=executable` for an executable. */
const kind = process.argv.find((word) => word.startsWith("--kind="))?.slice("--kind=".length) ?? "source";

/** A getter of a chunk in CommonJS, and what the chunk declares that never changes. */
const GETTER =
  /Object\.defineProperty\(exports, "([\w$]+)", \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\);/g;
const CONSTANT = /^(?:const|class|(?:async )?function\*?) ([\w$]+)/gm;

/**
 * An object without a prototype has no hidden classes: V8 takes milliseconds to make one for each of hundreds of exports. Files that not every command
 * loads keep theirs, since lists call them for each item.
 */
const EXPORTS = "exports = module.exports = Object.create(null);";
const LOADED_ALWAYS = ["main", "usage", "core"];

/** Exports constants as values: it takes a millisecond to define hundreds of getters. */
const constantsAsValues = {
  name: "constants as values",
  renderChunk(code, { name }) {
    const start = LOADED_ALWAYS.includes(name) ? EXPORTS : "";
    const constants = new Set(Array.from(code.matchAll(CONSTANT), ([, name]) => name));
    const value = (getter, exported, name) => (constants.has(name) ? `exports.${exported} = ${name};` : getter);
    // Getters are at the end of a chunk, so that its map stays right.
    return { code: start + code.replace(GETTER, value), map: null };
  },
};

/** The pool only speaks HTTP/1.1. Loading node:http2 takes 10 ms. */
const speaksHttp1 = lighter(
  "undici/lib/dispatcher/client.js",
  "const connectH2 = require('./client-h2.js')",
  "const connectH2 = undefined",
);

/** The pool only sends texts. The code for forms and fetch is a third of it. */
const sendsTexts = lighter(
  "undici/lib/dispatcher/client-h1.js",
  "require('../web/fetch/body.js').extractBody",
  "undefined",
);

/** Returns a file's text; of a file in `deploy/`, whose layout no output shows, without its white space. */
function textAt(path) {
  const text = readFileSync(path, "utf8");
  return path.includes("/deploy/") ? JSON.stringify(JSON.parse(text)) : text;
}

/** Bundles the text of a file, as Vite does. */
export const textOfFile = {
  name: "text of file",
  resolveId: (id, importer) => (id.endsWith("?raw") ? join(dirname(importer), id) : null),
  load: (id) =>
    id.endsWith("?raw")
      ? {
          code: `export default ${JSON.stringify(textAt(id.slice(0, -"?raw".length)))};`,
          moduleType: "js",
        }
      : null,
};

/** A query has only the functions of the language; src/terminal/select/query-numbers.ts replaces some of them. */
const JMESPATH = "@jmespath-community/jmespath/dist/index.mjs";
const fewerFunctions = [
  lighter(JMESPATH, / {2}\/\*\*\n {3}\* Enhanced registerFunction[\s\S]*?(?=\n {2}callFunction\()/, ""),
  lighter(JMESPATH, /\n {2}function(?:Avg|(?:Max|Min|Sort)(?:By)?|Reverse|Sum|ToNumber) = [\s\S]*?\n {2}\};/g, ""),
  lighter(
    JMESPATH,
    / {2}validateInputSignatures\([\s\S]*?\n {2}\}|this\.validateInputSignatures\(name, signature\);/g,
    "",
  ),
  lighter(JMESPATH, /\n {2}compareTo\([\s\S]*?(?=\n {2}get codePoints)/, ""),
  lighter(
    JMESPATH,
    /var registerFunction = [\s\S]*$/,
    "export { compile, tokenize, TreeInterpreter_default as TreeInterpreter };",
  ),
];

/** How everything is bundled. */
export const common = {
  // A file that one chunk loads at its start, another may load later.
  checks: { ineffectiveDynamicImport: false, pluginTimings: false },
  platform: "node",
  transform: { define: buildFacts(kind, root) },
  treeshake: true,
  plugins: [
    startsNoPrograms,
    segmentsWhenAsked,
    speaksHttp1,
    sendsTexts,
    ...fewerFunctions,
    ...storesOnly,
    parserOnce,
    parserAsHex,
    constantsAsValues,
    textOfFile,
  ],
  resolve: { conditionNames: ["node", "import", "default"] },
};

/** The large libraries that program and library share, each in one file in `dist`; of some, only what a file of ours exports. */
const SHARED = {
  pool: "undici/lib/dispatcher/client.js",
  yaml: join(root, "src/contract/encoding/yaml.ts"),
  lock: "proper-lockfile",
  ox: join(root, "src/contract/abi/ox.ts"),
  primitives: join(root, "src/contract/encoding/primitives.ts"),
  zod: join(root, "src/contract/requests/zod.ts"),
};

/** Loads the shared libraries from their files. */
const fromSharedFiles = {
  name: "shared libraries",
  resolveId(id, importer) {
    const path = id.startsWith(".") ? join(dirname(importer), id) : id;
    const [file] = Object.entries(SHARED).find(([, library]) => library === path) ?? [];
    return file === undefined ? null : { id: `../${file}.js`, external: true };
  },
  renderChunk(code, { fileName }) {
    return fileName.startsWith("chunks/") ? null : { code: code.replaceAll('require("../', 'require("./'), map: null };
  },
};

/** What imports shared libraries. */
export const sharing = { ...common, plugins: [...common.plugins, fromSharedFiles] };

/** Takes the hash from the file that has it. */
const sharedHash = {
  name: "shared hash",
  resolveId: (id) => (id === "@noble/hashes/sha3.js" ? { id: "./primitives.js", external: true } : null),
};

/** Takes the library's modules instead of its CommonJS, of which nothing can be left out. */
const yamlModules = {
  name: "modules of yaml",
  resolveId: (id) => (id === "yaml" ? join(root, "node_modules/yaml/browser/dist/index.js") : null),
};

/** One bundle for each shared library, so that nothing of it is in a chunk. */
export const shared = Object.entries(SHARED).map(([file, library]) => ({
  ...common,
  plugins: [...common.plugins, yamlModules, ...(file === "ox" ? [sharedHash] : [])],
  cwd: root,
  input: { [file]: library },
}));

/** CommonJS starts 5 ms sooner than ES modules on Node 20, and loads node:http without its costly namespace on 22. */
export const output = {
  format: "cjs",
  entryFileNames: "[name].js",
  // To import node:http takes as long as a start of Node 22; to require it does not.
  dynamicImportInCjs: false,
  chunkFileNames: "chunks/[name]-[hash:7].js",
  // The package has no maps, so nothing refers to them.
  sourcemap: "hidden",
  minify: true,
  // A single character above Latin-1 doubles the memory of a file in V8, and the time to read it.
  charset: "ascii",
};
