import { join } from "node:path";
import { rolldown } from "rolldown";
import { common, output, root } from "./bundle.js";

/** Where a run of the program begins: what is answered before it is loaded, and all else. */
const FIRST = ["src/entry.ts", "src/cli/help/program-help.ts"];
const CORE = ["src/main.ts"];

const input = { ...common, input: { main: join(root, "src/entry.ts") } };

/**
 * How the program is split: what every command needs is one file, since to find and open a file costs more than to read what is
 * in it, and what a single command needs is loaded with that command.
 */
export async function programParts() {
  const chunks = await chunksOfAll();
  const first = modulesFrom(chunks, FIRST);
  const core = modulesFrom(chunks, CORE);
  for (const id of first) core.delete(id);
  for (const entry of FIRST) first.delete(join(root, entry));
  const groups = [
    { name: "first", test: (id) => first.has(id), priority: 2 },
    { name: "core", test: (id) => core.has(id), priority: 1 },
  ];
  return { input, output: { ...output, codeSplitting: { groups } } };
}

/** As rolldown splits it by itself. */
async function chunksOfAll() {
  const bundle = await rolldown(input);
  const { output: files } = await bundle.generate(output);
  await bundle.close();
  return new Map(files.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
}

/** The modules that are loaded with some of them. */
function modulesFrom(chunks, entries) {
  const ids = entries.map((entry) => join(root, entry));
  const pending = [...chunks.values()].filter(({ moduleIds }) => moduleIds.some((id) => ids.includes(id)));
  const loaded = new Set(pending);
  for (const { imports } of pending) {
    for (const chunk of imports.map((name) => chunks.get(name))) {
      if (!chunk || loaded.has(chunk)) continue;
      loaded.add(chunk);
      pending.push(chunk);
    }
  }
  return new Set([...loaded].flatMap(({ moduleIds }) => moduleIds));
}
