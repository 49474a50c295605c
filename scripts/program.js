import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { common, output, root } from "./bundle.js";

/** What runs before the core is loaded: what answers without it, and what looks for its compiled code. */
const FIRST = ["src/entry.ts", "src/cli/help/program-help.ts"];
const KEPT = ["src/compiled/keep.ts"];
/** What every command needs, and the shortest of them: to find and open a file costs more than to read what is in it. */
const CORE = /^src\/(?:main|commands\/[^/]+\/(?:group|list|get)|terminal\/render\/table)\.ts$/;
/** The path of a command is that of its file. */
const COMMAND = /^src\/commands\/(?:[^/]+\/)?[^/]+\.ts$/;
/** What the commands load that send a body. */
const BODY = ["src/flow/perform.ts", "src/contract/requests.ts"];

const input = { ...common, input: { main: join(root, "src/entry.ts") } };

/**
 * How the program is split: into the core, what several of the commands share that send a body, and what one command alone needs,
 * which is loaded with it.
 */
export async function programParts() {
  const chunks = await chunksOfAll();
  const entries = [...chunks.values()].flatMap(({ facadeModuleId: id }) => (id ? [sourceOf(id)] : []));
  const commands = entries.filter((entry) => COMMAND.test(entry)).map((entry) => modulesFrom(chunks, [entry]));
  const sending = commands.filter((modules) => BODY.some((module) => modules.has(module)));
  const asking = commands.filter((modules) => !sending.includes(modules));
  const core = entries.filter((entry) => CORE.test(entry));
  const groups = Object.entries({
    first: modulesFrom(chunks, FIRST),
    kept: modulesFrom(chunks, KEPT),
    core: new Set([...modulesFrom(chunks, core), ...inSeveral(asking)]),
    body: inSeveral(sending),
  });
  return { input, output: { ...output, codeSplitting: { groups: groups.map(toGroup) } } };
}

function toGroup([name, modules], index, { length }) {
  const isIn = (id) => modules.has(id) && !FIRST.includes(id);
  return { name, test: (id) => isIn(sourceOf(id)), priority: length - index };
}

/** As rolldown splits it by itself. */
async function chunksOfAll() {
  const bundle = await rolldown(input);
  const { output: files } = await bundle.generate(output);
  await bundle.close();
  return new Map(files.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
}

function sourceOf(id) {
  return relative(root, id);
}

/** The modules that are loaded with some of them. */
function modulesFrom(chunks, entries) {
  const pending = [...chunks.values()].filter(({ moduleIds }) =>
    moduleIds.some((id) => entries.includes(sourceOf(id))),
  );
  const loaded = new Set(pending);
  for (const { imports } of pending) {
    for (const chunk of imports.map((name) => chunks.get(name))) {
      if (!chunk || loaded.has(chunk)) continue;
      loaded.add(chunk);
      pending.push(chunk);
    }
  }
  return new Set([...loaded].flatMap(({ moduleIds }) => moduleIds.map(sourceOf)));
}

function inSeveral(sets) {
  const all = sets.flatMap((modules) => [...modules]);
  return new Set(all.filter((module, index) => all.indexOf(module) !== index));
}
