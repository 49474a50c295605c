import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { output, root, sharing } from "./bundle.js";
import { withoutHelp } from "./without-help.js";

/** What runs before the core is loaded, each in one file: the version, the loader, help pages, mistakes. */
const FIRST = {
  main: /^src\/entry\.ts$/,
  help: /^src\/cli\/help\/first-text\.ts$/,
  usage: /^src\/cli\/parsing\/usage\.ts$/,
};
/** What every command needs, and the lists: to find and open a file costs more than to read what is in it. */
const CORE = /^src\/(?:main|commands\/(?:[^/]+\/group|relayers\/list)|terminal\/render\/(?:cells-)?table)\.ts$/;
/** What a list doesn't need: other nouns and formats, refinements, texts beyond ASCII, writes, and failures. */
const ASIDE = new RegExp(
  [
    "node_modules/(?:string-width|strip-ansi|ansi-regex|emoji-regex|get-east-asian-width)/",
    "src/cli/(?:error-line|next-command|help/command-facts)",
    "src/client/(?:earlier-transaction|read-named|plugin-call|read-back/|write|respell|attempt/(?:backoff|confirmation|failed|gateway|refusal)|pagination/(?:pagination-error|named-page)|transport/failure)",
    "src/command-support/(?:label-reader|repeated-command|progress/|prompting/ask-text|request-body/|shown/)",
    "src/(?:session/(?:input-file|labels|receipt-words|refuse-shown|journaling/(?:redacting|masked|lost-lines\\.))|shell/)",
    "src/commands/(?:(?!relayers/)[^/]+/group|serve/token|relayers/change/)",
    "src/(?:completion/kept-ids|config/(?:command-words|connection/certificates|files/(?:create-file|extended-file|file-error|lock|make-folder|remove-older|staging)))",
    "src/contract/(?:age-text|amount/|erc20|json-rpc/|service-record|spelling|transaction/replacement)",
    "src/contract/json/(?:byte-scanner|comments|held-bytes|list-scanner|positions|syntax-error|value-at)",
    "src/terminal/(?:amount-text|wrap|formats/yaml|render/(?:held-texts|held-values|value)|streams/input|select/(?:condition|fields|operand|query|sort)|text/(?:cut|duration))",
  ].join("|"),
);
/** The shortest commands. */
const SHORT = /^src\/commands\/[^/]+\/(?:list|get)\.ts$/;
/** A command's path is its file's path. */
const COMMAND = /^src\/commands\/(?:[^/]+\/)?[^/]+\.ts$/;
/** What the commands load that send a body. */
const BODY = ["src/command-support/prepared-write.ts", "src/contract/requests.ts"];
/** What `serve` loads before it listens, and `--demo` before it responds. */
const SERVE = ["src/commands/serve.ts", "src/embedded-server/serve.ts", "src/embedded-server/server.ts"];
/** The rest of the command line, of each noun's commands, and of the embedded server. */
const ROOM = /^src\/(?:cli|commands\/(?!token-store\/)([^/]+)|embedded-server)(?=\/)/;

/** Lets the core load the file `aside` at its first use. Files with writes load it at their start, since what a failure needs must be there then. */
const asideWhenUsed = {
  name: "aside when used",
  renderChunk(code, { name }) {
    if (name !== "core") return null;
    const [line, aside] = /^const require_aside = (.+);$/m.exec(code) ?? [];
    if (line === undefined) throw new Error("the core does not load the file aside");
    // In parentheses, since they may follow `new`.
    const whenUsed = code.replace(/\brequire_aside\.([\w$]+)/g, "(require_aside().$1)");
    return { code: whenUsed.replace(line, `let aside; const require_aside = () => (aside ??= ${aside});`), map: null };
  },
};

/** Lets the entry load other files with its own loader, which keeps their compiled code. */
const loadsFiles = {
  name: "loads files",
  renderChunk(code, { name }) {
    if (name !== "main") return null;
    if (!code.includes("const loadFile = ")) throw new Error("the entry has no loader of files");
    return { code: code.replace(/\brequire\("(?=\.\/chunks\/)/g, 'loadFile(module, "'), map: null };
  },
};

const RUNTIME = /require\("\.\/(?:chunks\/)?rolldown-runtime-[\w-]+\.js"\)/;

/** Moves what rolldown adds for other files to the end of the entry, which they find loaded: opening a file costs more. */
const runtimeInEntry = {
  name: "runtime in the entry",
  generateBundle(_, bundle) {
    const [path, { code }] = Object.entries(bundle).find(([, { name }]) => name === "rolldown-runtime");
    bundle["main.js"].code += `exports.runtime={};(exports=>{${code}})(exports.runtime);\n`;
    delete bundle[path];
    for (const file of Object.values(bundle).filter(({ type }) => type === "chunk")) {
      const entry = file.fileName.startsWith("chunks/") ? "../main.js" : "./main.js";
      file.code = file.code.replace(RUNTIME, `require("${entry}").runtime`);
      if (file.code.includes("rolldown-runtime")) throw new Error(`${file.fileName} still loads the runtime`);
    }
  },
};

const COMMANDS = join(root, "src/commands/");

/** What only help prints is in dist/words, and not in the commands, too. */
const helpOnce = {
  name: "help once",
  transform(code, id) {
    return id.startsWith(COMMANDS) ? { code: withoutHelp(code), map: null } : null;
  },
};

const bundled = { ...sharing, plugins: [helpOnce, ...sharing.plugins, asideWhenUsed] };
const PROGRAM = { main: join(root, "src/entry.ts") };
const LIBRARY = { index: join(root, "src/index.ts") };

/**
 * Splits the program into the core, what commands with a body share, what a server loads before it listens, and the rest of each room.
 * A library, or a module of Node's, that only a part of a room needs stays with that part.
 * @param {"node" | "bun"} runtime what runs the program; Bun compiles it when it is built
 */
export async function programParts(runtime) {
  const loads = loadsOf(await chunksOf(PROGRAM));
  const library = runtime === "node" ? loadsOf(await chunksOf(LIBRARY)).get("src/index.ts") : new Set();
  const commands = [...loads].flatMap(([entry, modules]) => (COMMAND.test(entry) ? [modules] : []));
  const sending = commands.filter((modules) => BODY.some((module) => modules.has(module)));
  const asking = commands.filter((modules) => !sending.includes(modules));
  const loadedBy = (entries) => [...loads].flatMap(([entry, modules]) => (entries.test(entry) ? [...modules] : []));
  const serving = new Set(SERVE.flatMap((entry) => [...loads.get(entry)]));
  for (const module of BODY) if (serving.has(module)) throw new Error(`a server loads ${module} before it listens`);
  const reads = new Set([...loadedBy(SHORT), ...inSeveral(asking)]);
  // The little of the reads that a server needs, too.
  const core = new Set([...loadedBy(CORE), ...[...reads].filter((module) => serving.has(module))]);
  const body = inSeveral(sending);
  const shared = new Set([...core, ...reads, ...body]);
  const isLight = (modules) => [...modules].every((module) => module.startsWith("src/") || shared.has(module));
  const light = [...loads].filter(([, modules]) => isLight(modules));
  const rooms = modulesByRoom(light);
  // A module that is loaded by itself can share a file with others, and rolldown would split it off.
  const common = new Set([...body, ...[...inSeveral(rooms)].filter((module) => !loads.has(module))]);
  const groups = [
    ...Object.entries(FIRST).map(([name, entries]) => [name, new Set(loadedBy(entries))]),
    ["core", new Set([...core].filter((module) => !ASIDE.test(module)))],
    ["aside", new Set([...core].filter((module) => ASIDE.test(module)))],
    ["reads", reads],
    // Else a server would load everything about requests, to validate an address.
    ["address", new Set([...common].filter((module) => serving.has(module)))],
    // What the library loads of it, which does without the rest.
    ["requests", new Set([...common].filter((module) => library.has(module)))],
    ["body", common],
    ["serving", new Set([...serving].filter((module) => module.startsWith("src/embedded-server/")))],
    // The library's entry only re-exports this file.
    ["library", new Set([...library].filter((module) => module !== "src/index.ts"))],
    [roomOf, new Set(rooms.flatMap((modules) => [...modules]))],
  ];
  // What other files need of the entry is in its file, too.
  const entry = { preserveEntrySignatures: "allow-extension" };
  const plugins = runtime === "node" ? [...bundled.plugins, loadsFiles, runtimeInEntry] : bundled.plugins;
  const input = runtime === "node" ? { ...PROGRAM, ...LIBRARY } : PROGRAM;
  return {
    input: { ...bundled, input, plugins, ...entry },
    output: { ...output, codeSplitting: { groups: groups.map(toGroup) } },
  };
}

/** What each room loads, its own modules among them: each of its entries, and all that stands in it. */
function modulesByRoom(loads) {
  const rooms = new Map();
  const add = (room, module) => rooms.set(room, (rooms.get(room) ?? new Set()).add(module));
  for (const [entry, modules] of loads) {
    for (const module of modules)
      for (const room of [roomOf(entry) ?? entry, roomOf(module)]) if (room) add(room, module);
  }
  return [...rooms.values()];
}

function toGroup([name, modules], index, { length }) {
  const isIn = (module) => modules.has(module);
  return {
    name: typeof name === "string" ? name : (id) => name(sourceOf(id)),
    test: (id) => isIn(sourceOf(id)),
    debugName: `group ${index}`,
    priority: length - index,
    // What the core imports from `aside` stays there.
    includeDependenciesRecursively: name !== "core",
  };
}

function roomOf(module) {
  const [path, noun] = ROOM.exec(module) ?? [];
  return path === undefined ? null : (noun ?? path.replace("src/", ""));
}

/** As rolldown splits it by itself. */
async function chunksOf(input) {
  const bundle = await rolldown({ ...bundled, input });
  const { output: files } = await bundle.generate(output);
  await bundle.close();
  return new Map(files.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
}

/** What is loaded with each module that is loaded by itself: modules by their paths, Node's by their names. */
function loadsOf(chunks) {
  const entries = [...chunks.values()].filter(({ facadeModuleId }) => facadeModuleId);
  return new Map(entries.map((chunk) => [sourceOf(chunk.facadeModuleId), loadedWith(chunk, chunks)]));
}

function loadedWith(entry, chunks) {
  const names = new Set([entry.fileName]);
  for (const name of names) for (const imported of chunks.get(name)?.imports ?? []) names.add(imported);
  return new Set([...names].flatMap((name) => chunks.get(name)?.moduleIds.map(sourceOf) ?? name));
}

function sourceOf(id) {
  return relative(root, id);
}

function inSeveral(sets) {
  const all = sets.flatMap((modules) => [...modules]);
  return new Set(all.filter((module, index) => all.indexOf(module) !== index));
}
